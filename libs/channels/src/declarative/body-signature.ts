import { createHmac } from 'node:crypto';

/** HMAC-SHA256 of a body in hex, the value of `X-Novu-Signature` in requests to webhooks that users run. */
export function bodySignature(body: string | Uint8Array | undefined, secret: string): string {
  return createHmac('sha256', secret)
    .update(body ?? '')
    .digest('hex');
}
