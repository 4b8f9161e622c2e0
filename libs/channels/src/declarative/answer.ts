import {
  ProviderError,
  type FailureOutcome,
  type ProviderErrorCode,
  type ProviderErrorDetails,
} from '../errors/provider-error.js';
import type { SendResult } from '../core/provider.js';
import type { OutboundResponse } from '../http/outbound-http.types.js';
import { textAt } from './json-path.js';
import { retryAfterMs } from './retry-after.js';

/** What a provider's own words mean. */
export interface Verdict {
  message?: string;
  code?: ProviderErrorCode;
  retryable?: boolean;
  /** Default: what the status means. */
  outcome?: FailureOutcome;
  invalidTokens?: readonly string[];
}

/** Where the id and the error stand in a provider's answer. Paths are dotted; `header:<name>` means a header. */
export interface AnswerSpec {
  /** Where the message id stands. A success without it is one all the same, and says that it lacks an id. */
  id?: string | ((json: unknown, answer: OutboundResponse) => string | undefined);
  /** Where the date of acceptance stands. */
  date?: string;
  /** Where the error text stands; the first path that holds text wins. */
  error?: readonly string[];
  /** Successes need not name an id, because who runs the other side decides about its answers. */
  idIsOptional?: true;
  /** Refusals come with a success status as a rule, so a body that breaks off leaves open what it would have said. */
  refusesInBody?: true;
  /** Statuses that can pass beside 408, 429 and 5xx. */
  retryable?: readonly number[];
  /** Refusals that the provider documents beside the status, and error codes that say more than it. Everything else with a 2xx status is an acceptance. */
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

/** Statuses of the 5xx class by which the service itself says that it did not carry out the request. */
const NOT_CARRIED_OUT: ReadonlySet<number> = new Set([500, 501, 503, 505, 507, 508]);

/**
 * What a status other than 2xx means for the message. 502, 504 and the 5xx of proxies come from somebody in between, who
 * may have passed the request on; 303 says that the request was worked on.
 */
export function outcomeOf(status: number): FailureOutcome {
  return status === 303 || (status >= 500 && !NOT_CARRIED_OUT.has(status)) ? 'uncertain' : 'not_sent';
}

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
    outcome: verdict.outcome ?? outcomeOf(answer.status),
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

/** A refusal could have stood in what is missing. */
function cutOff(id: string, answer: OutboundResponse): ProviderError {
  return new ProviderError(`The answer of provider '${id}' (HTTP ${answer.status}) broke off or is endless.`, {
    code: 'bad_answer',
    retryable: true,
    outcome: 'uncertain',
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
  if (answer.isCut && spec.refusesInBody === true) throw cutOff(context.providerId, answer);
  const json = answer.json();
  const id = readId(spec.id, json, answer);
  const lacksId = id === undefined && spec.id !== undefined && spec.idIsOptional !== true;
  const date = spec.date === undefined ? undefined : textAt(json, spec.date);
  const invalidTokens = spec.invalidTokens?.(json, context.targets) ?? [];
  return {
    ...(id === undefined ? {} : { id }),
    ...(lacksId && { lacksId }),
    date: date ?? context.now.toISOString(),
    raw: json ?? answer.text,
    ...(invalidTokens.length === 0 ? {} : { invalidTokens }),
  };
}

function readId(id: AnswerSpec['id'], json: unknown, answer: OutboundResponse): string | undefined {
  if (id === undefined) return undefined;
  if (typeof id === 'function') return id(json, answer);
  return id.startsWith('header:') ? answer.headers[id.slice('header:'.length)] : textAt(json, id);
}
