import { createHmac, timingSafeEqual } from 'node:crypto';

const NAME = 'herald_session';

/** The token of the session in a Cookie header. */
export function sessionTokenIn(cookies: string | undefined): string | undefined {
  return cookieIn(cookies, NAME);
}

export function cookieIn(cookies: string | undefined, name: string): string | undefined {
  if (cookies === undefined) return undefined;
  for (const part of cookies.split(';')) {
    const at = part.indexOf('=');
    if (at !== -1 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim() || undefined;
  }
  return undefined;
}

/** No script reads it, and no other site sends it, not even by a link. */
export function sessionCookie(token: string, { maxAgeSeconds, isSecure }: CookieOptions): string {
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Strict', `Max-Age=${maxAgeSeconds}`];
  return [`${NAME}=${token}`, ...attributes, ...(isSecure ? ['Secure'] : [])].join('; ');
}

interface CookieOptions {
  readonly maxAgeSeconds: number;
  readonly isSecure: boolean;
}

/** Bound to the session, so that a page that can set cookies but not read answers has none. */
export function csrfTokenOf(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('csrf').digest('base64url');
}

export function isCsrfToken(sent: string | string[] | undefined, sessionToken: string): boolean {
  const expected = Buffer.from(csrfTokenOf(sessionToken));
  const given = Buffer.from(typeof sent === 'string' ? sent : '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
