import type { HttpRequest } from './http-request.js';

interface Routed {
  /** Fastify. */
  readonly routeOptions?: { readonly url?: string | undefined };
  /** Express. */
  readonly route?: { readonly path?: string | undefined };
}

/** With parameters as `:name`; undefined if no route matched. */
export function routeOf(request: HttpRequest): string | undefined {
  const { routeOptions, route } = request as Routed;
  return routeOptions === undefined ? route?.path : routeOptions.url;
}
