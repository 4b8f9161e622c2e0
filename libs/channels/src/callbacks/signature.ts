import { createHash, createHmac, createPublicKey, timingSafeEqual, verify, type KeyObject } from 'node:crypto';
import type { CallbackRequest } from '../core/provider.js';

export type Credentials = Readonly<Record<string, unknown>>;

/** Limit for signed times, unless the provider retries later. */
const TOLERANCE_S = 300;

export function secretOf(credentials: Credentials, ...keys: readonly string[]): string | undefined {
  return keys
    .map((key) => credentials[key])
    .find((value): value is string => typeof value === 'string' && value !== '');
}

/** Compares in constant time and hides the lengths of secrets. */
export function sameText(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

export function hmac(
  algorithm: 'sha1' | 'sha256',
  key: string | Buffer,
  data: string | Buffer,
  encoding: 'hex' | 'base64',
): string {
  return createHmac(algorithm, key).update(data).digest(encoding);
}

/** @param maxAgeS for providers that sign once and retry with the same signature */
export function isRecent(seconds: string | undefined, maxAgeS = TOLERANCE_S): boolean {
  const age = Date.now() / 1_000 - Number(seconds);
  return seconds !== undefined && age >= -TOLERANCE_S && age <= maxAgeS;
}

/** Base64 of the DER form, with or without PEM lines; undefined if invalid. */
export function derPublicKey(text: string, prefix = Buffer.alloc(0)): KeyObject | undefined {
  const base64 = text.replace(/-----[^-]+-----|\s/g, '');
  try {
    return createPublicKey({
      key: Buffer.concat([prefix, Buffer.from(base64, 'base64')]),
      format: 'der',
      type: 'spki',
    });
  } catch {
    return undefined;
  }
}

/** Prefix of the 32 bytes of an Ed25519 key in DER. */
export const ED25519_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** Never throws: a malformed signature is invalid. */
export function verifies(
  algorithm: string | null,
  data: Buffer,
  key: KeyObject | undefined,
  signature: Buffer,
): boolean {
  if (!key) return false;
  try {
    return verify(algorithm, data, key, signature);
  } catch {
    return false;
  }
}

/**
 * For providers that send a configured secret: as password or whole `user:password` of Basic authentication, as bearer
 * token, or in one of the named headers.
 */
export function carriesSecret(
  request: CallbackRequest,
  secret: string | undefined,
  ...headers: readonly string[]
): boolean {
  if (secret === undefined) return false;
  const authorization = request.headers['authorization'] ?? '';
  const [scheme = '', value = ''] = authorization.split(/\s+/, 2);
  const candidates = headers.map((name) => request.headers[name]);
  if (scheme.toLowerCase() === 'bearer') candidates.push(value);
  if (scheme.toLowerCase() === 'basic') {
    const pair = Buffer.from(value, 'base64').toString();
    candidates.push(pair, pair.slice(pair.indexOf(':') + 1));
  }
  return candidates.some((candidate) => candidate !== undefined && sameText(candidate, secret));
}

/** Twilio and Mandrill: HMAC of the URL and the sorted fields of the form; a value that comes twice counts once. */
export function formSignature(
  url: string,
  form: URLSearchParams,
  key: string,
  algorithm: 'sha1' | 'sha256' = 'sha1',
): string {
  const names = [...new Set(form.keys())].sort();
  const fields = names.flatMap((name) => [...new Set(form.getAll(name))].sort().map((value) => name + value));
  return hmac(algorithm, key, url + fields.join(''), 'base64');
}
