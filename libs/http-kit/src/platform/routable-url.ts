import type { FastifyRequest } from 'fastify';

/**
 * The router of Fastify compares paths in lower case, by position. The lower case of this letter is two characters long, so its
 * parameters would be cut at the wrong places. It is escaped once more before the router sees it.
 */
const LETTER = '\u0130';
const ENCODED = /%c4%b0/gi;
const ESCAPED = '%25C4%25B0';

/** A browser client whose base URL ends in a slash doubles the first one. */
const DOUBLED_SLASH = /^\/{2,}(?=v1\/(?:widgets|inbox)\/)/i;

export function withoutDoubledSlash(url: string): string {
  return url.startsWith('//') ? url.replace(DOUBLED_SLASH, '/') : url;
}

/** The URL as the router of Fastify gets it. */
export function routableUrl({ url: sent = '/' }: { readonly url?: string }): string {
  const url = withoutDoubledSlash(sent);
  if (!url.includes('%')) return url;
  const [path = ''] = url.split('?', 1);
  return path.replace(ENCODED, ESCAPED) + url.slice(path.length);
}

/** Restores the parameters of a path whose URL was changed for the router. */
export function restoreParameters({ originalUrl, url, params }: FastifyRequest): void {
  if (originalUrl === url) return;
  const parameters = params as Record<string, string>;
  for (const name in parameters) parameters[name] = parameters[name]?.replace(ENCODED, LETTER) ?? '';
}
