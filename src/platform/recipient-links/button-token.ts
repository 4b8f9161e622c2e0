import { timingSafeEqual } from 'node:crypto';
import type { Mac } from './link-token.js';

/** Telegram takes 64 bytes; this is 60: who is asked what, which answer, and a signature with the id of its key. */
const KEY_ID_BYTES = 4;
const ID_BYTES = 12;
const BODY_BYTES = KEY_ID_BYTES + 2 * ID_BYTES + 1;
const TAG_BYTES = 16;

/** What a button answers. Ids are record ids of 24 hex digits. */
export interface ButtonClaims {
  readonly questionId: string;
  readonly subscriberId: string;
  /** Its place among the answers of the question. */
  readonly option: number;
}

/** @param integrationId the button is one of this integration only */
export function encodeButton(claims: ButtonClaims, integrationId: string, keyId: string, mac: Mac): string {
  const { questionId, subscriberId, option } = claims;
  const body = Buffer.concat([
    ...[keyId, questionId, subscriberId].map((hex) => Buffer.from(hex, 'hex')),
    Buffer.from([option]),
  ]);
  const tag = tagOf(body, integrationId, keyId, mac);
  if (tag === undefined) throw new Error(`There is no key '${keyId}' to sign buttons with.`);
  return Buffer.concat([body, tag]).toString('base64url');
}

/** @returns undefined for a token that was not made here for this integration, or with a key that is no longer known */
export function decodeButton(token: string, integrationId: string, mac: Mac): ButtonClaims | undefined {
  const bytes = Buffer.from(token, 'base64url');
  // A second spelling of the same bytes is no token.
  if (bytes.length !== BODY_BYTES + TAG_BYTES || bytes.toString('base64url') !== token) return undefined;
  const body = bytes.subarray(0, BODY_BYTES);
  const tag = tagOf(body, integrationId, body.toString('hex', 0, KEY_ID_BYTES), mac);
  if (tag === undefined || !timingSafeEqual(tag, bytes.subarray(BODY_BYTES))) return undefined;
  const idAt = (from: number): string => body.toString('hex', from, from + ID_BYTES);
  return {
    questionId: idAt(KEY_ID_BYTES),
    subscriberId: idAt(KEY_ID_BYTES + ID_BYTES),
    option: body.readUInt8(BODY_BYTES - 1),
  };
}

function tagOf(body: Buffer, integrationId: string, keyId: string, mac: Mac): Buffer | undefined {
  return mac(Buffer.concat([Buffer.from(`button ${integrationId} `), body]), keyId)?.subarray(0, TAG_BYTES);
}
