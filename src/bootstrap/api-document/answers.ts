import { STATUS_CODES } from 'node:http';
import {
  BodyTooLarge,
  DEFINITION_EXTENSION,
  type DefinedError,
  describeUnavailable,
  NO_FACTOR_EXTENSION,
  SCOPE_EXTENSION,
  UnsupportedBody,
  ValidationFailed,
} from '#libs/http-kit';
import type { Answer, ErrorExample, Placed, Operation } from './openapi.types.js';
import { pathExample, isForSubscribers, isPublic, takesIdempotencyKey } from './operations.js';
import { EnvironmentReadOnly } from '../../platform/environments/index.js';
import { CsrfTokenInvalid, EnvironmentClosed, SecondFactorRequired } from '../../people/users/index.js';
import { ScopeMissing, Unauthorized } from '../../platform/auth/index.js';
import { IdempotencyKeyInProgress, IdempotencyKeyReused } from '../../http/idempotency/index.js';
import { RateLimitExceeded, SubscriberLimitExceeded } from '../../http/rate-limits/index.js';
import { SessionInvalid } from '../../browser/subscriber-sessions/index.js';

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

/** Errors that follow from the input, the body and the permitted callers. */
function commonErrors({ method, operation }: Placed): ErrorExample[] {
  const { parameters = [], requestBody } = operation;
  const isRepeatable = takesIdempotencyKey(operation);
  const hasInput = requestBody !== undefined || isRepeatable || parameters.some(({ in: where }) => where !== 'header');
  const isRead = requestBody?.required === true;
  const { status, code, message } = describeUnavailable(method.toUpperCase());
  return [
    ...(hasInput ? [{ ...exampleOf(ValidationFailed), message: [faultOf(operation)] }] : []),
    ...callerErrors(method, operation),
    ...(isRead ? [exampleOf(BodyTooLarge), exampleOf(UnsupportedBody)] : []),
    ...(isRepeatable ? [exampleOf(IdempotencyKeyInProgress), exampleOf(IdempotencyKeyReused)] : []),
    { statusCode: status, code, message, ...(method === 'get' && { name: 'store_unavailable_for_reading' }) },
  ];
}

function callerErrors(method: string, operation: Operation): ErrorExample[] {
  if (isPublic(operation)) return [];
  if (isForSubscribers(operation)) {
    return [
      { ...exampleOf(SessionInvalid), name: 'session_invalid' },
      { ...exampleOf(SubscriberLimitExceeded), name: 'subscriber_rate_limited' },
    ];
  }
  const scope = operation[SCOPE_EXTENSION] ?? 'admin';
  return [
    exampleOf(Unauthorized),
    { ...exampleOf(ScopeMissing), name: `${scope}_scope_missing`, message: new ScopeMissing(scope).messages },
    ...(method === 'get' ? [] : [exampleOf(CsrfTokenInvalid)]),
    exampleOf(EnvironmentClosed),
    ...(operation[NO_FACTOR_EXTENSION] === true ? [] : [exampleOf(SecondFactorRequired)]),
    ...(operation[DEFINITION_EXTENSION] === undefined ? [] : [exampleOf(EnvironmentReadOnly)]),
    exampleOf(RateLimitExceeded),
  ];
}

function exampleOf({ status, code, exampleText }: DefinedError): ErrorExample {
  return { statusCode: status, code, message: exampleText() };
}

/** A fault that the operation can actually have. */
function faultOf({ parameters = [], requestBody }: Operation): string {
  const { examples = {} } = requestBody?.content?.['application/json'] ?? {};
  const [body] = Object.values(examples);
  const [field] = Object.entries(body?.value ?? {});
  const id = parameters.find(({ in: where, schema }) => where === 'path' && schema?.['pattern'] !== undefined);
  if (field !== undefined) return `${field[0]} must be ${kindOf(field[1])}`;
  if (id !== undefined) return `${id.name} must be a record id of 24 hexadecimal digits`;
  if (parameters.some(({ name }) => name === 'limit')) return 'limit must not be greater than 100';
  return requestBody === undefined ? 'the address must not hold null characters' : 'name must be a string';
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
