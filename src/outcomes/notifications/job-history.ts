import type { ConditionRecord } from '#libs/conditions';
import { shown } from '#libs/http-kit';
import { DETAIL, type ExecutionDetailResponse } from '../../engine/execution-details/index.js';
import {
  type AttemptOutcome,
  JobAttemptResponse,
  JobCallbackResponse,
  JobConditionResponse,
  JobHistoryResponse,
  JobPreferenceResponse,
} from './job-history.response.js';

const OUTCOMES = new Map<string, AttemptOutcome>([
  [DETAIL.messageSent, 'sent'],
  [DETAIL.providerError, 'not_sent'],
  [DETAIL.mayBeAccepted, 'uncertain'],
]);

const PREFERENCES: ReadonlySet<string> = new Set([
  DETAIL.filteredByGlobalPreference,
  DETAIL.filteredByWorkflowPreference,
  DETAIL.filteredByWorkflowSettings,
  DETAIL.filteredByWorkflowOverride,
]);

type Raw = Readonly<Record<string, unknown>>;

/** @param details of one step, oldest first */
export function historyOf(details: readonly ExecutionDetailResponse[]): JobHistoryResponse {
  const attempts: JobAttemptResponse[] = [];
  let replay = 0;
  for (const detail of details) {
    if (detail.detail === DETAIL.stepReplayed) replay += 1;
    const outcome = OUTCOMES.get(labelOf(detail));
    // Providers can report the same words later.
    if (outcome === undefined || detail.webhookStatus !== undefined) continue;
    attempts.push(attemptOf(detail, { outcome, replay }, attempts.at(-1)));
  }
  const preference = preferenceOf(details);
  return shown(JobHistoryResponse, {
    attempts,
    conditions: conditionsOf(details),
    ...(preference && { preference }),
    callbacks: details.flatMap((detail) => (detail.webhookStatus === undefined ? [] : callbackOf(detail))),
    messageIds: [...new Set(details.flatMap(({ _messageId }) => _messageId ?? []))],
  });
}

function attemptOf(
  detail: ExecutionDetailResponse,
  { outcome, replay }: Pick<JobAttemptResponse, 'outcome' | 'replay'>,
  before: JobAttemptResponse | undefined,
): JobAttemptResponse {
  const { createdAt: at, providerId, _messageId, raw } = detail;
  const { error, code, answer } = outcome === 'sent' ? sentRaw(raw) : failedRaw(raw);
  return shown(JobAttemptResponse, {
    at,
    ...(before && { waitedMs: at.getTime() - before.at.getTime() }),
    ...(providerId !== undefined && { providerId }),
    ...(_messageId !== undefined && { _messageId }),
    outcome,
    replay,
    ...(code !== undefined && { code }),
    ...(error !== undefined && { error }),
    ...(answer !== undefined && { answer }),
  });
}

interface AttemptRaw {
  readonly error?: string;
  readonly code?: string;
  readonly answer?: string;
}

function failedRaw(text: string | undefined): AttemptRaw {
  const raw = objectIn(text);
  const { error, code, answer } = raw;
  return {
    ...(typeof error === 'string' && { error }),
    ...(typeof code === 'string' && { code }),
    ...(answer !== undefined && { answer: JSON.stringify(answer) }),
  };
}

/** Messages without a provider id are stored with a note around the answer. */
function sentRaw(text: string | undefined): AttemptRaw {
  if (text === undefined) return {};
  const { note, answer } = objectIn(text);
  return { answer: typeof note === 'string' && answer !== undefined ? JSON.stringify(answer) : text };
}

function conditionsOf(details: readonly ExecutionDetailResponse[]): JobConditionResponse[] {
  return details
    .filter((detail) => labelOf(detail) === DETAIL.filterSteps)
    .flatMap(({ raw }) => {
      const { filter } = objectIn(raw) as { filter?: { conditions?: readonly ConditionRecord[] } };
      return (filter?.conditions ?? []).map(({ filter: about, field, operator, expected, actual, passed }) =>
        shown(JobConditionResponse, { filter: about, field, operator, expected, actual, passed }),
      );
    });
}

function preferenceOf(details: readonly ExecutionDetailResponse[]): JobPreferenceResponse | undefined {
  const found = details.findLast((detail) => PREFERENCES.has(labelOf(detail)));
  const { source, ...settings } = objectIn(found?.raw);
  if (typeof source !== 'string') return undefined;
  return shown(JobPreferenceResponse, { source, settings: JSON.stringify(settings) });
}

function callbackOf(detail: ExecutionDetailResponse): JobCallbackResponse {
  const { createdAt: at, webhookStatus: status = '', providerId, _messageId, detail: text, raw } = detail;
  return shown(JobCallbackResponse, {
    at,
    status,
    ...(providerId !== undefined && { providerId }),
    ...(_messageId !== undefined && { _messageId }),
    text,
    ...(raw !== undefined && { raw }),
  });
}

/** Without the provider, as in `Message sent: fcm`. */
function labelOf({ detail }: ExecutionDetailResponse): string {
  return detail.split(': ', 1)[0] ?? detail;
}

/** Oversized details are cut and may not have their usual shape. */
function objectIn(text: string | undefined): Raw {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Raw) : {};
  } catch {
    return {};
  }
}
