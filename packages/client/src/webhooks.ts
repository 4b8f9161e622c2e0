import { HeraldError } from './errors.js';
import type { Schemas } from './types.js';

const TOLERANCE_SECONDS = 300;
const PREFIX = 'whsec_';
const VERSION = 'v1,';

export type WebhookEvent = Schemas['WebhookEventResponse'];
/** The body of `preference.changed`: `verifyWebhook<WebhookEvent | PreferenceEvent>(…)` tells them apart by `type`. */
export type PreferenceEvent = Schemas['PreferenceChangedEventResponse'];
/** The body of `event.completed`: `verifyWebhook<EndedEvent>(…)`. */
export type EndedEvent = Schemas['EventCompletedResponse'];
/** Of the Fetch API, or of Node. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** How far the time of the request may be from now, either way. Default: 300. */
  readonly toleranceSeconds?: number;
  /** Milliseconds since 1970. */
  readonly now?: number;
}

export type WebhookFault = 'headers_missing' | 'timestamp_out_of_range' | 'signature_mismatch' | 'secret_invalid';

/** The request does not come from Herald, is too old, or has been changed. Answer with 400. */
export class WebhookVerificationError extends HeraldError {
  override readonly name = 'WebhookVerificationError';

  constructor(
    readonly code: WebhookFault,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Verifies a request of Herald to your server and returns its body.
 * @param rawBody the bytes or the text as they came, before anything parses them
 * @param secrets the signing secret (`whsec_…`), or several while you rotate them
 * @throws {WebhookVerificationError}
 */
export async function verifyWebhook<T = WebhookEvent>(
  headers: WebhookHeaders,
  rawBody: string | Uint8Array,
  secrets: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() }: VerifyOptions = {},
): Promise<T> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  );
  if (id === undefined || timestamp === undefined || signatures === undefined) {
    const message = 'The request lacks webhook-id, webhook-timestamp or webhook-signature.';
    throw new WebhookVerificationError('headers_missing', message);
  }
  const ageSeconds = Math.abs(now / 1_000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || ageSeconds > toleranceSeconds) {
    throw new WebhookVerificationError('timestamp_out_of_range', 'The time of the request is too far from now.');
  }
  const body = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : rawBody;
  const signed = concatenated(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  const given = signatures.split(' ').filter((one) => one.startsWith(VERSION));
  for (const secret of [secrets].flat()) {
    const key = await keyOf(secret);
    for (const one of given) {
      // WebCrypto compares in constant time.
      const isValid = await crypto.subtle.verify(
        'HMAC',
        key,
        bytesOf(one.slice(VERSION.length)) ?? new Uint8Array(),
        signed,
      );
      if (isValid) return JSON.parse(new TextDecoder().decode(body)) as T;
    }
  }
  throw new WebhookVerificationError('signature_mismatch', 'No signature fits the body and the secret.');
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : value?.join(' ');
}

function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = bytesOf(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  if (bytes === undefined || bytes.length === 0) {
    throw new WebhookVerificationError('secret_invalid', 'The secret is not a signing secret of Herald.');
  }
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function concatenated(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(head.length + tail.length);
  joined.set(head);
  joined.set(tail, head.length);
  return joined;
}
