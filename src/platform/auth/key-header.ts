import { Unauthorized } from './auth.errors.js';

/** Names in lower case; repeated headers as a list. */
export type KeyHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

const SCHEMES: ReadonlySet<string> = new Set(['apikey', 'bearer']);

/** Includes repeated headers. @param rawHeaders names and values in turn, as received */
export function keyHeadersOf(rawHeaders: readonly string[]): KeyHeaders {
  const authorization: string[] = [];
  const apiKey: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 13 && name.toLowerCase() === 'authorization') authorization.push(rawHeaders[at + 1] ?? '');
    if (name.length === 9 && name.toLowerCase() === 'x-api-key') apiKey.push(rawHeaders[at + 1] ?? '');
  }
  return { authorization, 'x-api-key': apiKey };
}

/**
 * From `Authorization: [ApiKey|Bearer] <key>` or `X-Api-Key: <key>`; scheme words in any case. Several headers must
 * agree.
 * @throws {Unauthorized} without repeating what was sent
 */
export function keyFrom(headers: KeyHeaders): string {
  const keys = [
    ...valuesOf(headers['authorization']).map(keyInAuthorization),
    ...valuesOf(headers['x-api-key']).map(keyAlone),
  ];
  const [key] = keys;
  if (key === undefined) throw new Unauthorized('The request carries no API key.');
  if (keys.some((other) => other !== key))
    throw new Unauthorized('The headers of the request carry different API keys.');
  return key;
}

function valuesOf(header: string | readonly string[] = []): string[] {
  const values = typeof header === 'string' ? [header] : header;
  return values.map((value) => value.trim()).filter((value) => value !== '');
}

function keyInAuthorization(text: string): string {
  const [first = '', second, ...rest] = text.split(/\s+/);
  const isScheme = SCHEMES.has(first.toLowerCase());
  if (second === undefined) {
    if (isScheme) throw new Unauthorized('The Authorization header has an empty API key.');
    return first;
  }
  if (!isScheme) throw new Unauthorized('The Authorization header uses a scheme other than ApiKey and Bearer.');
  if (rest.length > 0) throw new Unauthorized('The Authorization header holds more than a scheme and one API key.');
  return second;
}

function keyAlone(text: string): string {
  if (/\s/.test(text)) throw new Unauthorized('The X-Api-Key header must hold one API key and nothing else.');
  return text;
}
