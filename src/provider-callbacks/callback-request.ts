import type { CallbackRequest } from '#libs/channels';
import type { RawBodyRequest } from '#libs/http-kit';

/**
 * The request as signatures see it: the bytes as they came and the URL that the provider called.
 * @param publicUrl where the API is reached from outside; without it, what the request says of itself. That can be
 * made up, but a signature over a made-up URL does not hold.
 */
export function toCallbackRequest(request: RawBodyRequest, publicUrl?: string): CallbackRequest {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
  const protocol = firstOf(headers['x-forwarded-proto']) ?? request.protocol;
  const host = firstOf(headers['x-forwarded-host']) ?? headers['host'] ?? '';
  const url = `${publicUrl ?? `${protocol}://${host}`}${request.originalUrl}`;
  const query = Object.fromEntries(new URL(url, 'http://localhost').searchParams);
  return { headers, rawBody: request.rawBody ?? Buffer.alloc(0), query, url };
}

/** Each proxy on the way adds its own; the first one is what the provider saw. */
function firstOf(header: string | undefined): string | undefined {
  return header?.split(',', 1)[0]?.trim() || undefined;
}
