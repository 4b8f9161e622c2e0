const MASK = '***';
const MAX_JSON_LENGTH = 16_384;
const MAX_DEPTH = 32;
const MAX_TEXT_LENGTH = 4_000;
/** Characters examined beyond the kept part, so that a text cannot end in half a secret. */
const MARGIN_LENGTH = 512;
/** Characters and values examined per detail; the rest would be cut off anyway. */
const MAX_WORK = 4 * MAX_JSON_LENGTH;
const CUT = '…';

/** In any notation: apiKey, api_key, X-API-Key, accessToken, deviceTokens. */
const SECRET_NAME =
  /pass(word|wd|phrase)?$|secret|token|api[-_ ]?key|private[-_ ]?key|auth(orization)?$|credential|cookie|service[-_ ]?account|webhook[-_ ]?url|hmac|signature/i;

/** Credentials after a scheme word or in addresses, keys in queries, private hook addresses. */
const SECRET_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer|ApiKey|Basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${MASK}`],
  // Up to the last @, because a password may hold one.
  [/(\b[a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/@:]*:[^\s/]+@/gi, `$1${MASK}@`],
  [/([?&](?:api[-_]?key|token|access_token|secret|signature|sig|password)=)[^&\s"']+/gi, `$1${MASK}`],
  [/(https:\/\/hooks\.slack\.com\/)[^\s"']+/gi, `$1${MASK}`],
  [/(https:\/\/(?:\w{1,63}\.)?discord(?:app)?\.com\/api\/webhooks\/)[^\s"']+/gi, `$1${MASK}`],
];

interface Budget {
  left: number;
}

/**
 * Masks what looks like a secret by name or form. Cuts everything beyond the maximum size of a detail, because callers
 * decide how large the value is.
 */
export function redactSecrets(value: unknown): unknown {
  return redact(value, { left: MAX_WORK }, 0);
}

/** Redacted, and cut to the maximum size. */
export function toRawText(value: unknown): string {
  const text = JSON.stringify(redactSecrets(value)) ?? 'null';
  return text.length <= MAX_JSON_LENGTH
    ? text
    : JSON.stringify({ truncated: true, beginning: text.slice(0, MAX_JSON_LENGTH / 2) });
}

function redact(value: unknown, budget: Budget, depth: number): unknown {
  budget.left -= 1;
  if (typeof value === 'string') return redactText(value, budget);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH || budget.left <= 0) return CUT;
  if (Array.isArray(value)) return redactList(value, budget, depth);
  if (value instanceof Error) return { name: value.name, message: redactText(value.message, budget) };
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return redact((value as { toJSON(): unknown }).toJSON(), budget, depth + 1);
  }
  return redactObject(value, budget, depth);
}

function redactList(list: readonly unknown[], budget: Budget, depth: number): unknown[] {
  const copy: unknown[] = [];
  for (const item of list) {
    if (budget.left <= 0) return [...copy, CUT];
    copy.push(redact(item, budget, depth + 1));
  }
  return copy;
}

function redactObject(value: object, budget: Budget, depth: number): Record<string, unknown> {
  const entries: [string, unknown][] = [];
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    if (budget.left <= 0) {
      entries.push([CUT, CUT]);
      break;
    }
    budget.left -= Math.min(key.length, MAX_TEXT_LENGTH);
    const item = (value as Record<string, unknown>)[key];
    entries.push([key.slice(0, MAX_TEXT_LENGTH), masks(key, item) ? MASK : redact(item, budget, depth + 1)]);
  }
  return Object.fromEntries(entries);
}

/** Numbers and booleans are never secrets: `{ hmac: true }` is a setting. */
function masks(key: string, value: unknown): boolean {
  const isMaskable = typeof value === 'string' || (typeof value === 'object' && value !== null);
  return isMaskable && SECRET_NAME.test(key.slice(-MAX_TEXT_LENGTH));
}

function redactText(text: string, budget: Budget): string {
  const isLong = text.length > MAX_TEXT_LENGTH;
  const examined = isLong ? text.slice(0, MAX_TEXT_LENGTH + MARGIN_LENGTH) : text;
  budget.left -= examined.length;
  const clean = SECRET_TEXTS.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), examined);
  // Masking may have shortened the text; cut the margin in any case.
  return isLong ? clean.slice(0, Math.min(MAX_TEXT_LENGTH, clean.length - MARGIN_LENGTH)) + CUT : clean;
}
