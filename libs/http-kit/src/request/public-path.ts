import type { IncomingMessage, Server } from 'node:http';

/**
 * The path of PUBLIC_URL, such as `/herald`; empty at the root of a host. What browsers load has it in its addresses.
 * @param publicUrl as in the settings: without a slash at its end
 */
export function publicPathOf(publicUrl: string | undefined): string {
  return publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
}

/** Some proxies take the path of PUBLIC_URL off, others do not: routes, limits, records and sockets see it without, always. */
export function acceptPublicPath(server: Server, publicPath: string): void {
  if (publicPath === '') return;
  const takeOff = (request: IncomingMessage): void => {
    request.url = withoutPublicPath(request.url ?? '/', publicPath);
  };
  server.prependListener('request', takeOff).prependListener('upgrade', takeOff);
}

export function withoutPublicPath(url: string, publicPath: string): string {
  if (!url.startsWith(publicPath)) return url;
  const rest = url.slice(publicPath.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : url;
}
