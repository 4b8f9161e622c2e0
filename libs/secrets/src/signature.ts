import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 24;

/** A new signing secret: `whsec_` and 24 random bytes in base64. */
export function newSigningSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

export interface Signed {
  readonly id: string;
  readonly timestamp: number;
  readonly body: string;
}

/** `v1,` and the HMAC-SHA256 over `<id>.<timestamp>.<body>` in base64, keyed with the bytes behind `whsec_`. */
export function signatureOf({ id, timestamp, body }: Signed, secret: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

/**
 * The headers of the Standard Webhooks scheme. While a secret is being replaced there are several signatures, and a receiver
 * accepts any of them.
 */
export function signedHeaders(signed: Signed, secrets: readonly string[]): Record<string, string> {
  return {
    'webhook-id': signed.id,
    'webhook-timestamp': String(signed.timestamp),
    'webhook-signature': secrets.map((secret) => signatureOf(signed, secret)).join(' '),
  };
}
