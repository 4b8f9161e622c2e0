import type { FastifyRequest } from 'fastify';

/**
 * The lower case of this letter has two characters. Fastify's router compares lower-case paths by position and would
 * cut parameters in the wrong place, so the letter is escaped once more.
 */
const LETTER = '\u0130';
const ENCODED = /%c4%b0/gi;
const ESCAPED = '%25C4%25B0';

/** A browser client with a trailing slash in its base URL doubles the first one. */
const DOUBLED_SLASH = /^\/{2,}(?=v1\/(?:widgets|inbox)\/)/i;

export function withoutDoubledSlash(url: string): string {
  return url.startsWith('//') ? url.replace(DOUBLED_SLASH, '/') : url;
}

/** For the router of Fastify. */
export function routableUrl({ url: sent = '/' }: { readonly url?: string }): string {
  const url = withoutDoubledSlash(sent);
  if (!url.includes('%')) return url;
  const [path = ''] = url.split('?', 1);
  return path.replace(ENCODED, ESCAPED) + url.slice(path.length);
}

/** Undoes {@link routableUrl} in the parameters. */
export function restoreParameters({ originalUrl, url, params }: FastifyRequest): void {
  if (originalUrl === url) return;
  const parameters = params as Record<string, string>;
  for (const name in parameters) parameters[name] = parameters[name]?.replace(ENCODED, LETTER) ?? '';
}
