import type { FastifyInstance, HTTPMethods } from 'fastify';

/**
 * The methods that the router knows for a path, upper case and sorted. HEAD is not listed, because every route that
 * takes GET takes it.
 */
export function allowedMethods(server: FastifyInstance, path: string): string[] {
  const methods = server.supportedMethods as HTTPMethods[];
  return methods.filter((method) => method !== 'HEAD' && isServed(server, method, path)).sort();
}

function isServed(server: FastifyInstance, method: HTTPMethods, url: string): boolean {
  if (!url.startsWith('/')) return false;
  const route = server.findRoute({ method, url });
  // The router matches empty parameters, which the adapter refuses.
  return route !== null && Object.entries(route.params).every(([name, value]) => value !== '' || name === '*');
}
