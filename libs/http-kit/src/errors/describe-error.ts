import { STATUS_CODES } from 'node:http';
import { HttpException } from '@nestjs/common';
import { isDuplicateKeyFault, storeFault } from '#libs/common';
import { AppException, type LogLevel } from './app-exception.js';

export interface DescribedError {
  readonly status: number;
  readonly code: string;
  readonly message: string | string[];
  /** What to do, if the message does not say it. */
  readonly hint?: string;
  readonly logLevel: LogLevel;
  readonly retryAfterSeconds?: number;
  /** Its cause must not reach the caller. */
  readonly internal: boolean;
}

const CODES: Record<number, string> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  422: 'unprocessable',
  429: 'rate_limited',
  503: 'unavailable',
};

/**
 * Recognizes store errors by their shape.
 * @param method of the request; absent: it may have changed something
 */
export function describeError(error: unknown, method?: string): DescribedError {
  if (error instanceof AppException) {
    const { status, code, messages: message, logLevel, hint, retryAfterSeconds } = error;
    return {
      status,
      code,
      message,
      logLevel,
      internal: false,
      ...(hint !== undefined && { hint }),
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    };
  }
  if (error instanceof HttpException) return describeHttpException(error);
  return describeStoreFault(error, method) ?? describeStoreError(error) ?? INTERNAL;
}

const INTERNAL: DescribedError = {
  status: 500,
  code: 'internal_error',
  message: 'An internal error occurred. Report the errorId to the operator of this service; the log has the cause.',
  logLevel: 'error',
  internal: true,
};

function describeHttpException(error: HttpException): DescribedError {
  const status = error.getStatus();
  const body = error.getResponse();
  const message = typeof body === 'object' && 'message' in body ? (body.message as string | string[]) : error.message;
  return { status, code: codeOf(status), message, logLevel: status >= 500 ? 'error' : 'debug', internal: false };
}

function describeStoreFault(error: unknown, method = ''): DescribedError | undefined {
  switch (storeFault(error)) {
    case 'unavailable':
      return describeUnavailable(method);
    case 'conflict':
      return { ...STORE_UNAVAILABLE, message: WRITE_CONFLICT, logLevel: 'warn', retryAfterSeconds: 1 };
    case 'full':
      return STORE_FULL;
    case 'damaged':
      return STORE_DAMAGED;
    default:
      return undefined;
  }
}

/** @param method of the request, in upper case */
export function describeUnavailable(method: string): DescribedError {
  return READS.has(method) ? { ...STORE_UNAVAILABLE, message: NOTHING_CHANGED } : STORE_UNAVAILABLE;
}

const READS = new Set(['GET', 'HEAD']);
const NOTHING_CHANGED = 'The store is temporarily unavailable. Nothing was changed; try again shortly.';
const WRITE_CONFLICT =
  'Other requests changed the same records at the same time. It is not known whether the change was made: check before ' +
  'you repeat it. A trigger can be repeated safely with the same transactionId.';

/** The store may have executed a write when its connection was lost. */
const STORE_UNAVAILABLE: DescribedError = {
  status: 503,
  code: 'store_unavailable',
  message:
    'The store is temporarily unavailable. It is not known whether the change was made: check before you repeat it. ' +
    'A trigger can be repeated safely with the same transactionId.',
  logLevel: 'error',
  retryAfterSeconds: 2,
  internal: false,
};

const STORE_FULL: DescribedError = {
  status: 503,
  code: 'store_full',
  message:
    'The store has no space left, so this could not be stored. Try again later, or ask the operator to free space.',
  logLevel: 'error',
  retryAfterSeconds: 30,
  internal: false,
};

const STORE_DAMAGED: DescribedError = {
  status: 500,
  code: 'store_damaged',
  message:
    'A stored record that this needs is damaged. Report the errorId to the operator of this service; the log names the record.',
  logLevel: 'error',
  internal: true,
};

function describeStoreError(error: unknown): DescribedError | undefined {
  if (!isRecord(error)) return undefined;
  if (isDuplicateKeyFault(error)) {
    const fields = Object.keys(isRecord(error['keyValue']) ? error['keyValue'] : {}).filter(
      (key) => !key.startsWith('_'),
    );
    const message = `A record with the same ${fields.join(' and ') || 'key'} already exists in this environment.`;
    return { status: 409, code: 'already_exists', message, logLevel: 'debug', internal: false };
  }
  if (error['name'] === 'CastError' && typeof error['path'] === 'string') {
    const message = [`${error['path'].replace(/^_id$/, 'id')} has a value of the wrong type`];
    return { status: 400, code: 'validation_failed', message, logLevel: 'warn', internal: false };
  }
  return undefined;
}

export function codeOf(status: number): string {
  return CODES[status] ?? (STATUS_CODES[status] ?? 'error').toLowerCase().replace(/[^a-z]+/g, '_');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
