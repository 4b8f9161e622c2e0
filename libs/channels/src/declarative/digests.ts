import { createHash, createHmac } from 'node:crypto';

/** A UUID for services that accept only UUIDs as idempotency keys. */
export function uuidOf(key: string): string {
  const hex = createHash('sha256').update(key).digest('hex');
  const variant = ((parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(18, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

/** 32 hex digits that name a text without showing it. */
export function shortDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** HMAC-SHA256 of a body in hex, for `X-Novu-Signature` in requests to users' webhooks. */
export function bodySignature(body: string | Uint8Array | undefined, secret: string): string {
  return createHmac('sha256', secret)
    .update(body ?? '')
    .digest('hex');
}
