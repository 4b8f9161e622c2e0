/** Mail programs and proxies take no longer addresses. */
const MAX_LENGTH = 2_000;
/** White space, control characters, and characters that are not seen or change the direction. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Z}\\]/u;
const HTTP = /^https?:\/\/([^/?#]+)/i;
const PLAIN = /^[\x21-\x7e]+$/;

/**
 * The address that a followed link may lead to, as browsers would write it. Undefined for links that are left alone: of
 * other schemes, relative, with user names, with names of servers beyond ASCII, or written to be misread.
 */
export function linkTarget(link: string): string | undefined {
  const text = link.trim();
  if (text.length > MAX_LENGTH || HIDDEN.test(text)) return undefined;
  const authority = HTTP.exec(text)?.[1];
  if (authority === undefined || !PLAIN.test(authority) || authority.includes('@') || !URL.canParse(text)) {
    return undefined;
  }
  const { href, username, password, hostname } = new URL(text);
  const isPlain = PLAIN.test(href) && href.length <= MAX_LENGTH;
  return isPlain && username === '' && password === '' && hostname !== '' ? href : undefined;
}
