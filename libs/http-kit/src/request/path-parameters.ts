import type { FastifyRequest } from 'fastify';

/**
 * The router compares paths in lower case, by position. The lower case of this letter is two characters long, so its
 * parameters would be cut at the wrong places. It is escaped once more before the router sees it.
 */
const LETTER = '\u0130';
const ENCODED = /%c4%b0/gi;
const ESCAPED = '%25C4%25B0';

/** A browser client whose base URL ends in a slash doubles the first one. */
const DOUBLED_SLASH = /^\/{2,}(?=v1\/(?:widgets|inbox)\/)/i;

/** The URL as the router gets it. */
export function routableUrl({ url: sent = '/' }: { readonly url?: string }): string {
  const url = sent.startsWith('//') ? sent.replace(DOUBLED_SLASH, '/') : sent;
  if (!url.includes('%')) return url;
  const [path = ''] = url.split('?', 1);
  return path.replace(ENCODED, ESCAPED) + url.slice(path.length);
}

/**
 * Restores the parameters of a path whose URL was changed for the router.
 * @returns false if a parameter is empty: then no route matches
 */
export function hasParameters(request: FastifyRequest): boolean {
  const parameters = request.params as Record<string, string>;
  const isChanged = request.originalUrl !== request.url;
  for (const name in parameters) {
    if (parameters[name] === '' && name !== '*') return false;
    if (isChanged) parameters[name] = parameters[name]?.replace(ENCODED, LETTER) ?? '';
  }
  return true;
}
