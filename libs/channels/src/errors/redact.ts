import { isSecretCredential } from './credential-keys.js';

const MASK = '***';
const MIN_SECRET_LENGTH = 4;
/** Longer ones are keys in files, which no service repeats. */
const MAX_ENCODED = 500;
const MAX_TEXT = 4_000;
const MAX_DEPTH = 6;
const MAX_ENTRIES = 100;

/** Longest first, so that no part of a secret remains. */
export function secretValues(
  credentials: Readonly<Record<string, unknown>>,
  ...urls: (string | undefined)[]
): string[] {
  const hooks = [...urls, credentials['webhookUrl']];
  const secrets = Object.keys(credentials).filter(isSecretCredential);
  const values = secrets.flatMap((key) => leavesOf(credentials[key])).concat(hooks, hooks.map(pathOf));
  const texts = values.filter((value) => typeof value === 'string').filter(({ length }) => length >= MIN_SECRET_LENGTH);
  const names = Object.values(credentials).filter((value) => typeof value === 'string');
  const encoded = texts.filter(({ length }) => length <= MAX_ENCODED).flatMap((text) => encodings(text, names));
  return [...new Set([...texts, ...encoded])].sort((a, b) => b.length - a.length);
}

/** As services repeat it in their errors: escaped, and as the clients of SMTP and HTTP send it. */
function encodings(secret: string, names: readonly string[]): string[] {
  const base64 = (text: string): string =>
    Buffer.from(text)
      .toString('base64')
      .replace(/={1,2}$/, '');
  return [
    encodeURIComponent(secret.toWellFormed()),
    JSON.stringify(secret).slice(1, -1),
    ...[secret, `:${secret}`, `${secret}:`].map(base64),
    ...names.flatMap((name) => [`${name}:${secret}`, `${secret}:${name}`, `\0${name}\0${secret}`].map(base64)),
  ];
}

function leavesOf(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [value];
}

/** The part that contains the token. */
function pathOf(url: unknown): string | undefined {
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
  const { pathname, search } = new URL(url);
  return pathname.length > MIN_SECRET_LENGTH ? `${pathname}${search}` : undefined;
}

function redactText(text: string, secrets: readonly string[]): string {
  // Text beyond this is dropped and need not be searched. It is far longer than any secret.
  const searched = text.slice(0, 10 * MAX_TEXT);
  const clean = secrets.reduce((result, secret) => result.replaceAll(secret, MASK), searched);
  return clean.length > MAX_TEXT ? `${clean.slice(0, MAX_TEXT)}…` : clean;
}

/** Returns a copy, cut to a size that fits an execution detail. */
export function redact<T>(value: T, secrets: readonly string[], depth?: number): T;
export function redact(value: unknown, secrets: readonly string[], depth = 0): unknown {
  if (typeof value === 'string') return redactText(value, secrets);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map((item: unknown) => redact(item, secrets, depth + 1));
  const entries = Object.entries(value)
    .slice(0, MAX_ENTRIES)
    .map(([key, item]) => [key, redact(item as unknown, secrets, depth + 1)]);
  return Object.fromEntries(entries) as unknown;
}
