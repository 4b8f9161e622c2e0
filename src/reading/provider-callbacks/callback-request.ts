import type { CallbackRequest } from '#libs/channels';
import type { HttpRequest } from '#libs/http-kit';
import { CallbackHostInvalid } from './provider-callbacks.errors.js';

type CalledRequest = Pick<HttpRequest, 'headers' | 'originalUrl' | 'protocol' | 'host'>;

/**
 * The request as signatures cover it: the raw bytes of the body and the URL that the provider called.
 * @param publicUrl public URL of the API; without it, the host that the request or a trusted proxy claims. A claimed host
 * can be forged, but then the signature over the URL does not match.
 * @throws {CallbackHostInvalid}
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

/** X-Forwarded-Proto and X-Forwarded-Host count only if they come from a trusted proxy. */
function baseOf(request: CalledRequest): string {
  const { protocol, host } = request;
  const base = `${protocol}://${host}`;
  if (!/^https?$/.test(protocol) || !HOST.test(host) || !URL.canParse(base)) throw new CallbackHostInvalid();
  return base;
}

const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;
