import { STATUS_CODES } from 'node:http';
import { SCOPE_EXTENSION } from '#libs/http-kit';
import { BY_STATUS, type ErrorExample, NOT_FOUND, SESSION_INVALID } from './error-codes.js';
import type { Answer, Operation, Placed } from './openapi.types.js';
import { BY_OPERATION } from './operation-errors.js';
import { isForSubscribers, isPublic } from './operations.js';

const SCHEMA = { $ref: '#/components/schemas/ErrorBody' };
const RETRY_AFTER = { description: 'Seconds to wait before retrying.', schema: { type: 'integer', example: 2 } };

/**
 * Completes the error responses of an operation: every possible status, each with its codes and an example of each.
 */
export function completeErrors(placed: Placed): void {
  const { operation } = placed;
  for (const status of commonStatuses(placed)) operation.responses[status] ??= {};
  for (const [status, answer] of Object.entries(operation.responses)) {
    if (Number(status) < 400 || operation.operationId === 'checkHealth') continue;
    operation.responses[status] = errorAnswer(placed, status, answer);
  }
}

/** Errors that every operation can have: no API key, invalid input, an unavailable store. */
function commonStatuses({ method, operation }: Placed): string[] {
  const { operationId = '', parameters = [], requestBody } = operation;
  const isOpen = isPublic(operation);
  if (isOpen) operation.security = [];
  const hasInput = requestBody !== undefined || parameters.some(({ in: where }) => where !== 'header');
  const forSubscribers = isForSubscribers(operation);
  const isRepeatable = (method === 'post' || method === 'patch') && !forSubscribers;
  if (operationId === 'checkHealth') return [];
  return [
    ...(hasInput ? ['400'] : []),
    ...(isOpen ? [] : ['401', ...(forSubscribers ? [] : ['403']), '429', '503']),
    ...(requestBody === undefined || isOpen ? [] : ['413', '415']),
    ...(isRepeatable && !isOpen ? ['400', '409', '422'] : []),
  ];
}

function errorAnswer(placed: Placed, status: string, answer: Answer): Answer {
  const examples = examplesOf(placed, status);
  const [first] = examples;
  const common = BY_STATUS[status];
  if (first === undefined) return answer;
  const codes = [...new Set(examples.map(({ code }) => `\`${code}\``))];
  const isSession = first === SESSION_INVALID;
  const description =
    (isSession ? 'The session token is missing, expired or not valid.' : common?.description) ??
    answer.description ??
    STATUS_CODES[status] ??
    'Error';
  return {
    description: `${description} ${codes.length > 1 ? 'Codes' : 'Code'}: ${codes.join(', ')}.`,
    ...(status === '429' || status === '503' ? { headers: { 'Retry-After': RETRY_AFTER } } : {}),
    content: {
      'application/json': {
        schema: SCHEMA,
        examples: Object.fromEntries(
          examples.map((one) => [one.name ?? one.code, { value: bodyOf(placed, status, one) }]),
        ),
      },
    },
  };
}

function examplesOf({ path, operation }: Placed, status: string): ErrorExample[] {
  const id = (operation.operationId ?? '').replace(/ByOlderPath$/, '');
  if (status === '401' && isForSubscribers(operation)) return [SESSION_INVALID];
  const own = BY_OPERATION[id]?.[status] ?? [];
  const common = status === '400' ? faultOf(operation) : BY_STATUS[status];
  // The last id in the path is the requested record; the ids before it must exist, too.
  const named =
    status === '404'
      ? namesIn(path)
          .flatMap((name) => NOT_FOUND[name] ?? [])
          .reverse()
      : [];
  if (isPublic(operation) && own.length > 0)
    return [...own, ...(status === '400' ? [common] : [])].flatMap((one) => one ?? []);
  const isKnown = own.length + named.length > 0;
  const isIdempotency = common?.code.startsWith('idempotency') === true;
  const showsCommon = common !== undefined && (isIdempotency ? isRepeatable(operation) : status !== '404' || !isKnown);
  return [...own, ...named, ...(showsCommon ? [common] : [])];
}

/** A validation fault that the operation can actually have. */
function faultOf({ parameters = [], requestBody }: Operation): ErrorExample {
  const { examples = {} } = requestBody?.content?.['application/json'] ?? {};
  const [body] = Object.values(examples);
  const [field] = Object.entries(body?.value ?? {});
  const id = parameters.find(({ in: where, schema }) => where === 'path' && schema?.['pattern'] !== undefined);
  const faults = [
    ...(field === undefined ? [] : [`${field[0]} must be ${kindOf(field[1])}`]),
    ...(id === undefined ? [] : [`${id.name} must be a record id of 24 hexadecimal digits`]),
    ...(parameters.some(({ name }) => name === 'limit') ? ['limit must not be greater than 100'] : []),
    requestBody === undefined ? 'the address must not hold null characters' : 'name must be a string',
  ];
  return { code: 'validation_failed', message: faults.slice(0, 1) };
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function isRepeatable({ parameters = [] }: Operation): boolean {
  return parameters.some(({ name }) => name === 'Idempotency-Key');
}

function bodyOf({ path, operation }: Placed, status: string, { code, message }: ErrorExample): object {
  const fill = (text: string): string =>
    (operation.parameters ?? []).reduce(
      (filled, { name, in: where, example }) =>
        where === 'path' ? filled.replaceAll(`{${name}}`, String(example)) : filled,
      text.replaceAll('{scope}', operation[SCOPE_EXTENSION] ?? ''),
    );
  return {
    statusCode: Number(status),
    timestamp: '2026-01-01T12:00:00.000Z',
    path: fill(path),
    message: typeof message === 'string' ? fill(message) : message,
    error: STATUS_CODES[status],
    code,
  };
}

function namesIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);
}
