import { type Document, type MediaType, operationsOf, type Operation, type Parameter, resolve } from './routes.js';
import { exampleOf } from '../../tools/openapi-example.mjs';

/** A request as Swagger UI sends it when 'Execute' is pressed without a change. */
export interface TriedRequest {
  readonly name: string;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly url: string;
  readonly body?: unknown;
  readonly operation: Operation;
}

/** What the document offers to try, in its order; an operation with several example bodies comes once for each. */
export function triedRequests(document: Document): TriedRequest[] {
  return operationsOf(document).flatMap(({ method, path, operation }) =>
    bodiesOf(document, operation.requestBody?.content['application/json']).map(([title, body]) => ({
      name: `${method} ${path}${title === '' ? '' : ` (${title})`}`,
      method: method.toLowerCase() as TriedRequest['method'],
      url: urlOf(document, path, operation.parameters ?? []),
      ...(body !== undefined && { body }),
      operation,
    })),
  );
}

/** A parameter is filled in where it has an example, a default, or must have a value. */
function urlOf(document: Document, path: string, parameters: Parameter[]): string {
  const filled = parameters.flatMap(({ name, in: where, required, example, schema }) => {
    const resolved = resolve(document, schema);
    const value =
      example ?? resolved.examples?.[0] ?? resolved.default ?? (required === true ? resolved.enum?.[0] : undefined);
    return value === undefined ? [] : [{ name, where, value }];
  });
  const query = new URLSearchParams(
    filled
      .filter(({ where }) => where === 'query')
      .flatMap(({ name, value }) => [value].flat().map((one) => [name, textOf(one)] as [string, string])),
  );
  const place = filled
    .filter(({ where }) => where === 'path')
    .reduce((filling, { name, value }) => filling.replace(`{${name}}`, encodeURIComponent(textOf(value))), path);
  return query.size > 0 ? `${place}?${query.toString()}` : place;
}

function bodiesOf(document: Document, content: MediaType | undefined): [title: string, body: unknown][] {
  if (content === undefined) return [['', undefined]];
  const examples = Object.values(content.examples ?? {});
  if (examples.length > 0) return examples.map(({ summary = '', value }) => [summary, value]);
  return [['', content.example ?? exampleOf(document, content.schema)]];
}

/** Parameters are texts, numbers or booleans. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
