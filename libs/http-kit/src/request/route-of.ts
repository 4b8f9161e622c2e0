import type { HttpRequest } from './http-request.js';

/** Where the platforms keep the matched route. */
interface Routed {
  /** Fastify. */
  readonly routeOptions?: { readonly url?: string | undefined };
  /** Express. */
  readonly route?: { readonly path?: string | undefined };
}

/** Pattern of the route that the router matched, with parameters as `:name`; undefined without one. */
export function routeOf(request: HttpRequest): string | undefined {
  const { routeOptions, route } = request as Routed;
  return routeOptions === undefined ? route?.path : routeOptions.url;
}
