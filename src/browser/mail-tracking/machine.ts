import type { IncomingHttpHeaders } from 'node:http';
import { isbot } from 'isbot';

/** Gmail and Yahoo load pictures through these when a person opens the mail. */
const PROXIES = /GoogleImageProxy|YahooMailProxy/i;
/** With these, people try a link by hand. */
const TOOLS = /^(?:curl|wget|httpie|node|undici|postmanruntime|insomnia)\b/i;
/** Gmail loads pictures in advance as a browser of 2015. */
const GMAIL_IN_ADVANCE = /Chrome\/42\.0\.2311\.135 Safari\/537\.36 Edge\/12\.246/;
const IN_ADVANCE = /\b(?:prefetch|preview)\b/i;

/**
 * Whether a program that nobody looks at is likely to have asked. Apple Mail loads the pictures of all mails, as
 * `Mozilla/5.0` without more; scanners that take the name of a browser are not recognised.
 */
export function isMachine(headers: IncomingHttpHeaders): boolean {
  const purposes = [headers['sec-purpose'], headers['purpose'], headers['x-purpose'], headers['x-moz']];
  if (purposes.some((purpose) => typeof purpose === 'string' && IN_ADVANCE.test(purpose))) return true;
  const agent = headers['user-agent'] ?? '';
  if (PROXIES.test(agent) || TOOLS.test(agent)) return false;
  return GMAIL_IN_ADVANCE.test(agent) || isbot(agent);
}
