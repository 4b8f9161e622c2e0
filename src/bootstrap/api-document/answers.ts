import { STATUS_CODES } from 'node:http';
import { commonErrors } from './common-errors.js';
import type { Answer, ErrorExample, Placed } from './openapi.types.js';
import { pathExample } from './operations.js';

const SCHEMA = { $ref: '#/components/schemas/ErrorBody' };
const RETRY_AFTER = { description: 'Seconds to wait before retrying.', schema: { type: 'integer', example: 2 } };

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  400: 'The input is invalid; `message` lists every fault with the path of its field.',
  401: 'The API key, session token or signature is missing or not valid.',
  403: 'The API key lacks the scope, or the request exceeds the rights of the key.',
  404: 'The environment has no such record.',
  409: 'The request conflicts with the current state, or the same request is still being processed.',
  413: 'The body is larger than the limit of the route.',
  415: 'The body is not JSON.',
  422: 'The request is well-formed but cannot be processed.',
  429: 'Too many requests; `Retry-After` says when to retry.',
  503: 'Temporarily unavailable; retry after the number of seconds in `Retry-After`.',
};

/** Declared errors first, then those that follow from the kind of operation. */
export function completeErrors(placed: Placed): void {
  const { operation } = placed;
  // Its response is the same in both states.
  if (operation.operationId === 'checkHealth') return;
  const errors = [...declaredErrors(operation.responses), ...commonErrors(placed)];
  for (const status of new Set(errors.map(({ statusCode }) => String(statusCode)))) {
    const examples = errors.filter(({ statusCode }) => String(statusCode) === status);
    operation.responses[status] = errorAnswer(placed, status, examples);
  }
}

function declaredErrors(responses: Readonly<Record<string, Answer>>): ErrorExample[] {
  const examples = Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([, { content }]) => Object.entries(content?.['application/json']?.examples ?? {}));
  return examples.map(([name, { value }]) => ({ ...(value as ErrorExample), name }));
}

function errorAnswer(placed: Placed, status: string, errors: readonly ErrorExample[]): Answer {
  const codes = [...new Set(errors.map(({ code }) => `\`${code}\``))];
  const examples = errors.map((error) => [error.name ?? error.code, { value: bodyOf(placed, error) }] as const);
  return {
    description: `${DESCRIPTIONS[status] ?? 'Error.'} ${codes.length > 1 ? 'Codes' : 'Code'}: ${codes.join(', ')}.`,
    ...(status === '429' || status === '503' ? { headers: { 'Retry-After': RETRY_AFTER } } : {}),
    content: { 'application/json': { schema: SCHEMA, examples: Object.fromEntries(examples) } },
  };
}

function bodyOf({ path, operation }: Placed, { statusCode, code, message }: ErrorExample): object {
  const valueOf = (_: string, name: string): string => pathExample(operation, name);
  // A parameter behind a slash is part of a route that the text names.
  const fill = (text: string): string => text.replace(/(?<!\/)\{(\w+)\}/g, valueOf);
  return {
    statusCode,
    timestamp: '2026-01-01T12:00:00.000Z',
    path: path.replace(/\{(\w+)\}/g, valueOf),
    message: typeof message === 'string' ? fill(message) : message.map(fill),
    error: STATUS_CODES[statusCode],
    code,
  };
}
