import { createHmac, timingSafeEqual } from 'node:crypto';

/** Telegram takes 64 characters; this is 43: the record of the subscriber, the time of expiry, and a signature. */
const ID_BYTES = 12;
const HEAD_BYTES = ID_BYTES + 4;
const MAC_BYTES = 16;

export interface LinkClaims {
  readonly subscriberRecordId: string;
  readonly expiresAt: Date;
}

/** @param integrationId the token is valid for this integration only */
export function linkToken({ subscriberRecordId, expiresAt }: LinkClaims, integrationId: string, key: string): string {
  const head = Buffer.alloc(HEAD_BYTES);
  head.write(subscriberRecordId, 'hex');
  head.writeUInt32BE(Math.floor(expiresAt.getTime() / 1_000), ID_BYTES);
  return Buffer.concat([head, macOf(head, integrationId, key)]).toString('base64url');
}

/** @returns undefined for a forged token and one that has expired */
export function readLinkToken(token: string, integrationId: string, key: string, now: Date): LinkClaims | undefined {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== HEAD_BYTES + MAC_BYTES) return undefined;
  const head = bytes.subarray(0, HEAD_BYTES);
  if (!timingSafeEqual(bytes.subarray(HEAD_BYTES), macOf(head, integrationId, key))) return undefined;
  const expiresAt = new Date(head.readUInt32BE(ID_BYTES) * 1_000);
  return expiresAt <= now ? undefined : { subscriberRecordId: head.toString('hex', 0, ID_BYTES), expiresAt };
}

function macOf(head: Buffer, integrationId: string, key: string): Buffer {
  return createHmac('sha256', key).update(`chat-link ${integrationId} `).update(head).digest().subarray(0, MAC_BYTES);
}
