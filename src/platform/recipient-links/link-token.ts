import { timingSafeEqual } from 'node:crypto';
import { type Channel, CHANNELS } from '#libs/channels';

/** What a link lets its holder do. The position is part of the token: append only. */
const LINK_KINDS = ['unsubscribe', 'preferences', 'open', 'click', 'answer'] as const;
export type LinkKind = (typeof LINK_KINDS)[number];

/** Ids only: a token names no address. Ids are record ids of 24 hex digits. */
export interface LinkClaims {
  readonly channel: Channel;
  readonly environmentId: string;
  readonly organizationId: string;
  readonly subscriberId: string;
  readonly workflowId: string;
  readonly messageId: string;
  /** Of the record of the tenant that the event named. */
  readonly tenantId?: string;
  /** Where a click leads, or the id of the question that is answered; part of what is signed. */
  readonly target?: string;
}

/** @returns undefined if the key is unknown */
export type Mac = (data: Uint8Array, keyId: string) => Buffer | undefined;

/** The others may have a tenant, whose pages look as that tenant does. */
const HAS_TARGET: ReadonlySet<LinkKind> = new Set(['click', 'answer']);
const VERSION = 1;
const ID_KEYS = ['environmentId', 'organizationId', 'subscriberId', 'workflowId', 'messageId'] as const;
type IdKey = (typeof ID_KEYS)[number];
const ID_BYTES = 12;
const KEY_ID_BYTES = 4;
const HEAD_BYTES = 3 + KEY_ID_BYTES;
const BODY_BYTES = HEAD_BYTES + ID_KEYS.length * ID_BYTES;
const TAG_BYTES = 16;
const MIN_BYTES = BODY_BYTES + TAG_BYTES;
const CHANNEL_CODES: readonly Channel[] = CHANNELS;

/** The same for the same claims, so that a mail that is sent again is the same mail. */
export function encodeLink(kind: LinkKind, claims: LinkClaims, keyId: string, mac: Mac): string {
  const head = Buffer.from([VERSION, LINK_KINDS.indexOf(kind), CHANNEL_CODES.indexOf(claims.channel)]);
  const ids = ID_KEYS.map((key) => Buffer.from(claims[key], 'hex'));
  const rest = HAS_TARGET.has(kind) ? Buffer.from(claims.target ?? '') : Buffer.from(claims.tenantId ?? '', 'hex');
  const body = Buffer.concat([head, Buffer.from(keyId, 'hex'), ...ids, rest]);
  const tag = mac(body, keyId);
  if (tag === undefined) throw new Error(`There is no key '${keyId}' to sign links with.`);
  return Buffer.concat([body, tag.subarray(0, TAG_BYTES)]).toString('base64url');
}

/** @returns undefined for a token that was not made here for this purpose, or with a key that is no longer known */
export function decodeLink(token: string, kind: LinkKind, mac: Mac): LinkClaims | undefined {
  const bytes = Buffer.from(token, 'base64url');
  // A second spelling of the same bytes is no token.
  const hasTarget = HAS_TARGET.has(kind);
  const more = bytes.length - MIN_BYTES;
  const isSized = hasTarget ? more > 0 : more === 0 || more === ID_BYTES;
  if (!isSized || bytes.toString('base64url') !== token) return undefined;
  const body = bytes.subarray(0, -TAG_BYTES);
  const expected = mac(body, body.toString('hex', 3, HEAD_BYTES));
  if (expected === undefined) return undefined;
  if (!timingSafeEqual(expected.subarray(0, TAG_BYTES), bytes.subarray(-TAG_BYTES))) return undefined;
  const [version, kindCode = -1, channelCode = -1] = body;
  const channel = CHANNEL_CODES[channelCode];
  if (version !== VERSION || LINK_KINDS[kindCode] !== kind || channel === undefined) return undefined;
  const ids = ID_KEYS.map((key, place) => {
    const start = HEAD_BYTES + place * ID_BYTES;
    return [key, body.toString('hex', start, start + ID_BYTES)] as const;
  });
  return {
    channel,
    ...(Object.fromEntries(ids) as Record<IdKey, string>),
    ...(hasTarget && { target: body.toString('utf8', BODY_BYTES) }),
    ...(!hasTarget && more > 0 && { tenantId: body.toString('hex', BODY_BYTES) }),
  };
}
