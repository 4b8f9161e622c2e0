import { ProviderError, type ProviderErrorCode, type ProviderErrorDetails } from '../core/provider-error.js';
import type { SendResult } from '../core/provider.js';
import type { OutboundResponse } from '../http/outbound-http.types.js';
import { textAt } from './json-path.js';
import { retryAfterMs } from './retry-after.js';

/** What a provider's own words mean. */
export interface Verdict {
  message?: string;
  code?: ProviderErrorCode;
  retryable?: boolean;
  invalidTokens?: readonly string[];
}

/** Where the id and the error stand in a provider's answer. Paths are dotted; `header:<name>` means a header. */
export interface AnswerSpec {
  /** Where the message id stands. A path must be there in every success; a header may be absent. */
  id?: string | ((json: unknown, answer: OutboundResponse) => string | undefined);
  /** Where the date of acceptance stands. */
  date?: string;
  /** Where the error text stands; the first path that holds text wins. */
  error?: readonly string[];
  /** What a success must look like: JSON (default), text that holds the id, or anything. */
  body?: 'json' | 'text' | 'any';
  /** Statuses that can pass beside 408, 429 and 5xx. */
  retryable?: readonly number[];
  /** For providers that report failures with a success status, or whose error codes say more than the status. */
  verdict?: (json: unknown, answer: OutboundResponse, targets: readonly string[]) => Verdict | undefined;
  /** Push: targets that a success nevertheless calls dead. */
  invalidTokens?: (json: unknown, targets: readonly string[]) => readonly string[];
}

/** What an answer is read against. */
export interface AnswerContext {
  providerId: string;
  now: Date;
  /** The push targets of the request. */
  targets: readonly string[];
}

const MAX_ERROR_TEXT = 500;

function byStatus(status: number, retryable: readonly number[]): { code: ProviderErrorCode; retryable: boolean } {
  if (status === 429) return { code: 'rate_limited', retryable: true };
  if (status === 408 || status >= 500 || retryable.includes(status)) return { code: 'unavailable', retryable: true };
  return { code: status === 401 || status === 403 ? 'unauthorized' : 'rejected', retryable: false };
}

function errorText(json: unknown, answer: OutboundResponse, paths: readonly string[]): string {
  const found = paths.map((path) => textAt(json, path)).find((text) => text !== undefined);
  // Without JSON the body is shown only if it is a short line: pages of markup explain nothing.
  const plain = /^[^<\n]{1,200}$/.test(answer.text.trim()) ? answer.text.trim() : '';
  return (found ?? (json === undefined ? plain : '')).slice(0, MAX_ERROR_TEXT);
}

function failure(answer: OutboundResponse, spec: AnswerSpec, verdict: Verdict, context: AnswerContext): ProviderError {
  const json = answer.json();
  const general = isSuccess(answer)
    ? { code: 'rejected' as const, retryable: false }
    : byStatus(answer.status, spec.retryable ?? []);
  const wait = retryAfterMs(answer.headers['retry-after'], context.now);
  const words = verdict.message ?? errorText(json, answer, spec.error ?? []);
  const details: ProviderErrorDetails = {
    code: verdict.code ?? general.code,
    retryable: verdict.retryable ?? general.retryable,
    statusCode: answer.status,
    raw: { status: answer.status, body: json ?? answer.text },
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
    ...(verdict.invalidTokens === undefined ? {} : { invalidTokens: verdict.invalidTokens }),
  };
  const subject = `Provider '${context.providerId}' did not accept the request (HTTP ${answer.status})`;
  return new ProviderError(words === '' ? subject : `${subject}: ${words}`, details);
}

function isSuccess({ status }: OutboundResponse): boolean {
  return status >= 200 && status < 300;
}

function nonsense(id: string, answer: OutboundResponse): ProviderError {
  // Not retried: the status says accepted, and a repeat would reach the recipient twice.
  return new ProviderError(`Provider '${id}' answered ${answer.status} with a body that its API does not describe.`, {
    code: 'bad_answer',
    retryable: false,
    statusCode: answer.status,
    raw: { status: answer.status, body: answer.text },
  });
}

/** Throws a `ProviderError` unless the answer means success. */
export function assertSuccess(answer: OutboundResponse, spec: AnswerSpec, context: AnswerContext): void {
  const verdict = spec.verdict?.(answer.json(), answer, context.targets);
  if (verdict || !isSuccess(answer)) throw failure(answer, spec, verdict ?? {}, context);
}

/** Turns an answer into a result, or throws what went wrong. */
export function readAnswer(answer: OutboundResponse, spec: AnswerSpec, context: AnswerContext): SendResult {
  assertSuccess(answer, spec, context);
  const { body = 'json' } = spec;
  const json = answer.json();
  const id = readId(spec.id, json, answer);
  const lacksId = id === undefined && spec.id !== undefined && !isHeader(spec.id);
  if (body !== 'any' && ((body === 'json' && json === undefined) || lacksId))
    throw nonsense(context.providerId, answer);
  const date = spec.date === undefined ? undefined : textAt(json, spec.date);
  const invalidTokens = spec.invalidTokens?.(json, context.targets) ?? [];
  return {
    ...(id === undefined ? {} : { id }),
    date: date ?? context.now.toISOString(),
    raw: json ?? answer.text,
    ...(invalidTokens.length === 0 ? {} : { invalidTokens }),
  };
}

function isHeader(id: NonNullable<AnswerSpec['id']>): id is string {
  return typeof id === 'string' && id.startsWith('header:');
}

function readId(id: AnswerSpec['id'], json: unknown, answer: OutboundResponse): string | undefined {
  if (id === undefined) return undefined;
  if (typeof id === 'function') return id(json, answer);
  return isHeader(id) ? answer.headers[id.slice('header:'.length)] : textAt(json, id);
}
