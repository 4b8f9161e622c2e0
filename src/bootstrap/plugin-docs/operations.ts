import type { OpenAPIObject } from '@nestjs/swagger';

export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly href: string;
}

interface Documented {
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * In the order of the document.
 * @param routes such as `GET /v1/feeds/:`, with `:` for each parameter
 */
export function operationsOf({ paths }: OpenAPIObject, routes: readonly string[]): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Documented>)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => operationOf(method.toUpperCase(), path, operation))
      .filter((operation) => routes.includes(`${operation.method} ${path.replaceAll(/\{[^{}]*\}/g, ':')}`)),
  );
}

function operationOf(
  method: string,
  path: string,
  { operationId = '', summary = '', tags = [] }: Documented,
): Operation {
  const place = [tags[0] ?? 'default', operationId].map(encodeURIComponent).join('/');
  return { method, path, summary, href: `/api#/${place}` };
}
