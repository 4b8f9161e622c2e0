import {
  type DeadAddress,
  ProviderError,
  type FailureOutcome,
  type ProviderErrorCode,
  type ProviderErrorDetails,
} from '../errors/provider-error.js';
import type { SendResult, Ticket } from '../core/provider.js';
import type { OutboundResponse } from '../http/outbound-http.types.js';
import { textAt } from './json-path.js';
import { limitResetMs, retryAfterMs } from '../http/response-body.js';

export interface Verdict {
  message?: string;
  code?: ProviderErrorCode;
  retryable?: boolean;
  /** Default: derived from the status. */
  outcome?: FailureOutcome;
  /** Where the body says it, and not the header. */
  retryAfterMs?: number;
  invalidTokens?: readonly string[];
  /** The target takes nothing any more, whatever is sent. */
  isGone?: boolean;
  /** Email: recipients who do not exist. */
  deadAddresses?: readonly DeadAddress[];
}

/** Positions of id and error in a provider's answer, as dotted paths; `header:<name>` means a header. */
export interface AnswerSpec {
  /** A success without an id is still a success; its result says that the id is missing. */
  id?: string | ((json: unknown, answer: OutboundResponse) => string | undefined);
  /** Date of acceptance. */
  date?: string;
  /** The first path with a text wins. */
  error?: readonly string[];
  /** For endpoints whose owners decide what they answer. */
  idIsOptional?: true;
  /** Refusals usually have a success status, so an incomplete body makes the outcome uncertain. */
  refusesInBody?: true;
  /** Retryable statuses in addition to 408, 429 and 5xx. */
  retryable?: readonly number[];
  /**
   * Recognizes documented refusals and errors that are more precise than the status. Any other 2xx is an acceptance.
   */
  verdict?: (json: unknown, answer: OutboundResponse, targets: readonly string[]) => Verdict | undefined;
  /** Push: what the provider tells the fate of each target by. */
  tickets?: (json: unknown, targets: readonly string[]) => readonly Ticket[];
  /** Email: recipients who do not exist, while others got the message. */
  deadAddresses?: (json: unknown, targets: readonly string[]) => readonly DeadAddress[];
  /** Push: targets that a success reports as invalid. */
  invalidTokens?: (json: unknown, targets: readonly string[]) => readonly string[];
}

export interface AnswerContext {
  providerId: string;
  now: Date;
  targets: readonly string[];
}

const MAX_ERROR_TEXT = 500;

/** The service did not process the request. */
const NOT_CARRIED_OUT: ReadonlySet<number> = new Set([500, 501, 503, 505, 507, 508]);

/**
 * 502, 504 and proxies' 5xx come from an intermediary that may have forwarded the request; 303 means that it was
 * processed.
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
  // A body that is not JSON is shown only if it is one short line: markup explains nothing.
  const plain = /^[^<\n]{1,200}$/.test(answer.text.trim()) ? answer.text.trim() : '';
  return (found ?? (json === undefined ? plain : '')).slice(0, MAX_ERROR_TEXT);
}

function failure(answer: OutboundResponse, spec: AnswerSpec, verdict: Verdict, context: AnswerContext): ProviderError {
  const json = answer.json();
  const general = isSuccess(answer)
    ? { code: 'rejected' as const, retryable: false }
    : byStatus(answer.status, spec.retryable ?? []);
  const code = verdict.code ?? general.code;
  const wait =
    verdict.retryAfterMs ??
    retryAfterMs(answer.headers['retry-after'], context.now) ??
    (code === 'rate_limited' ? limitResetMs(answer.headers, context.now) : undefined);
  const words = verdict.message ?? errorText(json, answer, spec.error ?? []);
  const details: ProviderErrorDetails = {
    code,
    retryable: verdict.retryable ?? general.retryable,
    outcome: verdict.outcome ?? outcomeOf(answer.status),
    statusCode: answer.status,
    raw: { status: answer.status, body: json ?? answer.text },
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
    ...(verdict.invalidTokens === undefined ? {} : { invalidTokens: verdict.invalidTokens }),
    ...(verdict.isGone === undefined ? {} : { isGone: verdict.isGone }),
    ...(verdict.deadAddresses?.length ? { deadAddresses: verdict.deadAddresses } : {}),
  };
  const subject = `Provider '${context.providerId}' did not accept the request (HTTP ${answer.status})`;
  return new ProviderError(words === '' ? subject : `${subject}: ${words}`, details);
}

function isSuccess({ status }: OutboundResponse): boolean {
  return status >= 200 && status < 300;
}

/** The missing part could contain a refusal. */
function cutOff(id: string, answer: OutboundResponse): ProviderError {
  return new ProviderError(`The answer of provider '${id}' (HTTP ${answer.status}) broke off or is endless.`, {
    code: 'bad_answer',
    retryable: true,
    outcome: 'uncertain',
    statusCode: answer.status,
    raw: { status: answer.status, body: answer.text },
  });
}

/** @throws {ProviderError} unless the answer means success */
export function assertSuccess(answer: OutboundResponse, spec: AnswerSpec, context: AnswerContext): void {
  const verdict = spec.verdict?.(answer.json(), answer, context.targets);
  if (verdict || !isSuccess(answer)) throw failure(answer, spec, verdict ?? {}, context);
}

/** @throws {ProviderError} unless the answer means success */
export function readAnswer(answer: OutboundResponse, spec: AnswerSpec, context: AnswerContext): SendResult {
  assertSuccess(answer, spec, context);
  if (answer.isCut && spec.refusesInBody === true) throw cutOff(context.providerId, answer);
  const json = answer.json();
  const id = readId(spec.id, json, answer);
  const lacksId = id === undefined && spec.id !== undefined && spec.idIsOptional !== true;
  const date = spec.date === undefined ? undefined : textAt(json, spec.date);
  const invalidTokens = spec.invalidTokens?.(json, context.targets) ?? [];
  const deadAddresses = spec.deadAddresses?.(json, context.targets) ?? [];
  const tickets = spec.tickets?.(json, context.targets) ?? [];
  return {
    ...(tickets.length > 0 && { tickets }),
    ...(id === undefined ? {} : { id }),
    ...(lacksId && { lacksId }),
    date: date ?? context.now.toISOString(),
    raw: json ?? answer.text,
    ...(invalidTokens.length === 0 ? {} : { invalidTokens }),
    ...(deadAddresses.length > 0 && { deadAddresses }),
  };
}

function readId(id: AnswerSpec['id'], json: unknown, answer: OutboundResponse): string | undefined {
  if (id === undefined) return undefined;
  if (typeof id === 'function') return id(json, answer);
  return id.startsWith('header:') ? answer.headers[id.slice('header:'.length)] : textAt(json, id);
}
