import type { Request } from 'express';
import type { CallbackRequest } from '#libs/channels';
import { CallbackHostInvalid } from './provider-callbacks.errors.js';

/**
 * The request as signatures see it: the bytes as they came and the URL that the provider called.
 * @param publicUrl where the API is reached from outside; without it, what the request, or a proxy that is trusted, says of
 * itself. That can be made up, but a signature over a made-up URL does not hold.
 * @throws {CallbackHostInvalid}
 */
export function toCallbackRequest(request: Request, rawBody: Buffer, publicUrl?: string): CallbackRequest {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
  const { originalUrl } = request;
  const queryFrom = originalUrl.indexOf('?');
  const query = Object.fromEntries(new URLSearchParams(queryFrom === -1 ? '' : originalUrl.slice(queryFrom)));
  return { headers, rawBody, query, url: `${publicUrl ?? baseOf(request)}${originalUrl}` };
}

/** X-Forwarded-Proto and X-Forwarded-Host count only where they come from a proxy that is trusted. */
function baseOf(request: Request): string {
  const { protocol } = request;
  // A request may come without one, whatever the types say.
  const host = (request.host as string | undefined) ?? '';
  const base = `${protocol}://${host}`;
  if (!/^https?$/.test(protocol) || !HOST.test(host) || !URL.canParse(base)) throw new CallbackHostInvalid();
  return base;
}

/** A name or an address, with a port or without. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;
