import type { CallbackRequest } from '#libs/channels';
import type { HttpRequest } from '#libs/http-kit';
import { CallbackHostInvalid } from './provider-callbacks.errors.js';

type CalledRequest = Pick<HttpRequest, 'headers' | 'originalUrl' | 'protocol' | 'host'>;

/**
 * The raw body and the URL called, as signatures cover them.
 * @param publicUrl without it, the host claimed by the request or a trusted proxy: a forged one fails the signature
 */
export function toCallbackRequest(request: CalledRequest, rawBody: Buffer, publicUrl?: string): CallbackRequest {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
  const { originalUrl } = request;
  const queryFrom = originalUrl.indexOf('?');
  const query = Object.fromEntries(new URLSearchParams(queryFrom === -1 ? '' : originalUrl.slice(queryFrom)));
  return { headers, rawBody, query, url: `${publicUrl ?? baseOf(request)}${originalUrl}` };
}

/** Uses X-Forwarded-Proto and X-Forwarded-Host only from a trusted proxy. */
function baseOf(request: CalledRequest): string {
  const { protocol, host } = request;
  const base = `${protocol}://${host}`;
  if (!/^https?$/.test(protocol) || !HOST.test(host) || !URL.canParse(base)) throw new CallbackHostInvalid();
  return base;
}

const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;
