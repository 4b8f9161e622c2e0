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
import { EnvironmentReadOnly } from '../../management/environments/index.js';
import { CsrfTokenInvalid, EnvironmentClosed, SecondFactorRequired } from '../../management/users/index.js';
import { ScopeMissing, Unauthorized } from '../../platform/auth/index.js';
import { IdempotencyKeyInProgress, IdempotencyKeyReused } from '../../platform/idempotency/index.js';
import { RateLimitExceeded, SubscriberLimitExceeded } from '../../platform/rate-limits/index.js';
import { SessionInvalid } from '../../browser/subscriber-sessions/index.js';
import type { ErrorExample, Operation, Placed } from './openapi.types.js';
import { isForSubscribers, isPublic, takesIdempotencyKey } from './operations.js';

/** Errors that follow from the input, the body and the permitted callers. */
export function commonErrors({ method, operation }: Placed): ErrorExample[] {
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
