import { type OutboundResponse, ProviderError, retryAfterMs } from '#libs/channels';
import type { ComposedRequest } from './http-request.js';

/** What later steps get is stored with the run. */
export const MAX_OUTPUT_LENGTH = 65_536;
const MAX_SHOWN_ANSWER = 1_000;
const RETRIED: ReadonlySet<number> = new Set([408, 425, 429]);

export interface FailedAnswer {
  readonly error: string;
  readonly isRetryable: boolean;
  readonly retryAfterMs?: number;
  readonly status?: number;
  /** The server may have carried out what was asked. */
  readonly mayBeDone: boolean;
  /** The beginning of what it said. */
  readonly answer?: string;
}

export interface GoodAnswer {
  readonly status: number;
  /** What the body holds. */
  readonly value: unknown;
  readonly output: Readonly<Record<string, unknown>>;
  /** The body is not JSON. */
  readonly isText?: true;
}

/** Secrets are removed from the answer: a server may send back what it got. */
export function judgeAnswer(
  response: OutboundResponse,
  request: Pick<ComposedRequest, 'mask'>,
  now: Date,
): GoodAnswer | FailedAnswer {
  const { status, headers, isCut } = response;
  const text = request.mask(response.text);
  if (status < 200 || status > 299) {
    const wait = retryAfterMs(headers['retry-after'], now);
    return {
      error: `The server answered with status ${status}.`,
      isRetryable: status >= 500 || RETRIED.has(status),
      mayBeDone: false,
      status,
      ...(wait !== undefined && { retryAfterMs: wait }),
      ...(text !== '' && { answer: text.slice(0, MAX_SHOWN_ANSWER) }),
    };
  }
  if (isCut || text.length > MAX_OUTPUT_LENGTH) {
    const error = `The answer has more than ${MAX_OUTPUT_LENGTH.toLocaleString('en')} characters, which is too much to keep for later steps.`;
    return { error, isRetryable: false, mayBeDone: true, status };
  }
  return { status, ...outputOf(text) };
}

function outputOf(text: string): Pick<GoodAnswer, 'output' | 'value' | 'isText'> {
  if (text.trim() === '') return { output: {}, value: {} };
  try {
    const value: unknown = JSON.parse(text);
    const isFields = typeof value === 'object' && value !== null && !Array.isArray(value);
    return { value, output: isFields ? (value as Record<string, unknown>) : { body: value } };
  } catch {
    return { value: text, output: { body: text }, isText: true };
  }
}

/** @throws whatever is no failure of the request */
export function judgeFault(error: unknown, request: Pick<ComposedRequest, 'mask'>): FailedAnswer {
  if (!(error instanceof ProviderError)) throw error;
  const { message, retryable, outcome, retryAfterMs: wait } = error;
  return {
    error: request.mask(message),
    isRetryable: retryable,
    mayBeDone: outcome === 'uncertain',
    ...(wait !== undefined && { retryAfterMs: wait }),
  };
}

export function isFailed(answer: GoodAnswer | FailedAnswer): answer is FailedAnswer {
  return 'error' in answer;
}
