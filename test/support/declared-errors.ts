import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Refusal } from '../harness/index.js';
import { placeOfRoute } from './route-place.js';
import { type Document, operationsOf, readDocument } from './routes.js';

/** Any request can get them, also those that a route does not know: docs/errors.md lists them. */
const OF_ANY_REQUEST = new Set([
  'agent_key_elsewhere',
  'bad_request',
  'internal_error',
  'malformed_body',
  'malformed_request',
  'method_not_allowed',
  'request_timeout',
  'route_not_found',
  // Also the stored result of a request with an Idempotency-Key.
  'secret_unreadable',
  'store_damaged',
  'store_full',
  'store_unavailable',
  'too_many_large_bodies',
  'validation_failed',
]);

interface SentError {
  readonly statusCode: number;
  readonly code: string;
  readonly message: string | string[];
}

/** Looks at every error that an API of this test file sends: the OpenAPI document has to show it at its operation. */
export function watchErrors(server: Server): void {
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
    response.end = ((...args: unknown[]) => {
      if (response.statusCode >= 400) note(request, args[0]);
      return end(...args);
    }) as typeof response.end;
  });
}

/** Looks at what an API in another process has refused. */
export function lookAtRefusals(refusals: readonly Refusal[]): void {
  for (const { body, ...request } of refusals) note(request, body);
}

const undeclared: string[] = [];

function note({ method = '', url = '' }: Pick<IncomingMessage, 'method' | 'url'>, body: unknown): void {
  const error = errorIn(body);
  const fault = error === undefined || OF_ANY_REQUEST.has(error.code) ? undefined : undeclaredError(method, url, error);
  if (fault !== undefined) undeclared.push(fault);
}

/** For each test of a file; modules of tests run once for all files of a process. */
export function useDeclaredErrors(): void {
  afterEach(() => {
    expect(takeUndeclared()).toEqual([]);
  });
}

/** What is wrong with the errors that were sent since the last call. */
export const takeUndeclared = (): string[] => undeclared.splice(0);

/** Undefined for the answers of other servers, such as the one of the console. */
function errorIn(body: unknown): SentError | undefined {
  try {
    const error = JSON.parse(String(body)) as Partial<SentError> | null;
    return typeof error?.code === 'string' && 'message' in error ? (error as SentError) : undefined;
  } catch {
    return undefined;
  }
}

/** What is wrong with an error. Nothing on routes that the document does not have: those of plugins, and unknown ones. */
export function undeclaredError(
  method: string,
  url: string,
  { statusCode, code, message }: SentError,
): string | undefined {
  known ??= new KnownErrors(readDocument());
  const path = url.split('?')[0] ?? '';
  const route = known.routeOf(method, path);
  if (route === undefined) return undefined;
  const shown = route.errors.filter((error) => error.statusCode === statusCode && error.code === code);
  const told = `${method} ${path} sent ${statusCode} ${code}`;
  if (shown.length === 0) {
    return `${told}, which the OpenAPI document does not show. Name it in @ApiErrors() above ${placeOfRoute(route.id)}, then npm run docs.`;
  }
  const isSame = shown.some((error) => known?.isSameText(code, String(error.message), String(message)) === true);
  return isSame ? undefined : `${told} with another text than the OpenAPI document shows: ${String(message)}`;
}

let known: KnownErrors | undefined;

class KnownErrors {
  private readonly routes: { id: string; method: string; pattern: RegExp; parameters: number; errors: SentError[] }[];
  private readonly texts: Map<string, RegExp[]>;

  constructor(document: Document) {
    this.routes = operationsOf(document)
      .map(({ method, path, operation: { operationId, responses } }) => ({
        id: operationId,
        method,
        pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
        parameters: path.match(/\{/g)?.length ?? 0,
        errors: Object.values(responses).flatMap(({ content }) =>
          Object.values(content?.['application/json']?.examples ?? {}).map(({ value }) => value as SentError),
        ),
      }))
      .sort((a, b) => a.parameters - b.parameters);
    this.texts = textsByCode();
  }

  routeOf(method: string, path: string): { id: string; errors: SentError[] } | undefined {
    return this.routes.find((route) => route.method === method && route.pattern.test(path));
  }

  /** Whether two texts are the same but for their values. */
  isSameText(code: string, one: string, other: string): boolean {
    return one === other || (this.texts.get(code) ?? []).some((text) => text.test(one) && text.test(other));
  }
}

/** The texts of docs/errors.md, which `npm run docs` takes from the code: `{…}` stands for a value. */
function textsByCode(): Map<string, RegExp[]> {
  const texts = new Map<string, RegExp[]>();
  const rows = readFileSync('docs/errors.md', 'utf8').matchAll(/^\| `(\w+)` *\| \d+ *\| (.*?) *\|$/gm);
  for (const [, code = '', text = ''] of rows) {
    const parts = text.replaceAll('&lt;', '<').split(/\{[\w…]+\}/);
    const pattern = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^]*');
    texts.set(code, [...(texts.get(code) ?? []), new RegExp(`^${pattern}$`)]);
  }
  return texts;
}
