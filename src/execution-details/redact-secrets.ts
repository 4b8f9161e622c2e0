const MASK = '***';
const MAX_JSON_LENGTH = 16_384;
const MAX_DEPTH = 32;

/** Names under which secrets are kept, in any style of writing: apiKey, api_key, X-API-Key, accessToken, deviceTokens. */
const SECRET_NAME =
  /pass(word|wd|phrase)?$|secret|token|api[-_ ]?key|private[-_ ]?key|auth(orization)?$|credential|cookie|service[-_ ]?account|webhook[-_ ]?url|hmac|signature/i;

/** Secrets inside texts: what follows a scheme word, credentials in addresses, keys in queries, private hook addresses. */
const SECRET_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer|ApiKey|Basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${MASK}`],
  [/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@:]+:[^\s/@]+@/gi, `$1${MASK}@`],
  [/([?&](?:api[-_]?key|token|access_token|secret|signature|sig|password)=)[^&\s"']+/gi, `$1${MASK}`],
  [/(https:\/\/hooks\.slack\.com\/)[^\s"']+/gi, `$1${MASK}`],
  [/(https:\/\/(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks\/)[^\s"']+/gi, `$1${MASK}`],
];

/** A copy of a JSON-like value in which everything that looks like a secret, by its name or by itself, is masked. */
export function redactSecrets(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.map((item) => redactSecrets(item, depth + 1));
  if (value instanceof Error) return { name: value.name, message: redactText(value.message) };
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return redactSecrets((value as { toJSON(): unknown }).toJSON(), depth + 1);
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, masks(key, item) ? MASK : redactSecrets(item, depth + 1)]),
  );
}

/**
 * The JSON text that a detail keeps as `raw`: redacted, and cut where it would be too large to keep for every step.
 */
export function toRawText(value: unknown): string {
  const text = JSON.stringify(redactSecrets(value)) ?? 'null';
  return text.length <= MAX_JSON_LENGTH
    ? text
    : JSON.stringify({ truncated: true, length: text.length, beginning: text.slice(0, MAX_JSON_LENGTH / 2) });
}

/** Numbers and booleans are never secrets: `{ hmac: true }` is a setting. */
function masks(key: string, value: unknown): boolean {
  return SECRET_NAME.test(key) && (typeof value === 'string' || (typeof value === 'object' && value !== null));
}

function redactText(text: string): string {
  return SECRET_TEXTS.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text);
}
