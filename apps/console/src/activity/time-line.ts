import type { Schemas } from '../api/client.js';
import type { Tone } from '../ui/status.js';
import { durationOf, momentOf } from '../durations.js';
import { providerLabel, type Job } from './words.js';

type Detail = Schemas['ExecutionDetailResponse'];
type Attempt = Schemas['JobAttemptResponse'];

/** One line of the time line of a step. */
export interface Entry {
  readonly id: string;
  readonly at: string;
  readonly tone: Tone;
  readonly title: string;
  /** What the provider said, or what else explains the line. */
  readonly words?: string;
  /** Time since the attempt before. */
  readonly wait?: string;
  /** Further details as a JSON text. */
  readonly raw?: string;
}

const TONES: Readonly<Record<Detail['status'], Tone>> = {
  Success: 'good',
  Warning: 'warn',
  Failed: 'bad',
  Pending: 'idle',
  Queued: 'idle',
  ReadConfirmation: 'good',
};

const OUTCOMES: Readonly<Record<Attempt['outcome'], string>> = {
  sent: 'accepted',
  not_sent: 'rejected',
  uncertain: 'outcome unknown',
};

/** A skipped step has the status of a success in its trail, but the recipient got nothing. */
const SKIPPED = /^Step (?:was )?(?:filtered|skipped)/;

/** The execution details of a step, with the attempts, waits and reports that its history has read from them. */
export function timeLineOf(job: Pick<Job, 'executionDetails' | 'history'>): Entry[] {
  const attempts = [...(job.history?.attempts ?? [])];
  let number = 0;
  let replay = 0;
  return job.executionDetails.map((detail) => {
    const attempt = takeAttempt(attempts, detail);
    if (attempt === undefined) return detailEntry(detail);
    number = attempt.replay === replay ? number + 1 : 1;
    replay = attempt.replay;
    return attemptEntry(detail, attempt, number);
  });
}

/** The attempt that a detail tells of: its details and attempts are in the same order. */
function takeAttempt(attempts: Attempt[], detail: Detail): Attempt | undefined {
  const [next] = attempts;
  if (next === undefined || detail.webhookStatus !== undefined) return undefined;
  const isIt =
    next.at === detail.createdAt &&
    next.providerId === detail.providerId &&
    next._messageId === detail._messageId &&
    /^(?:Message sent|Unexpected provider error|The provider may have accepted)/.test(detail.detail);
  return isIt ? attempts.shift() : undefined;
}

function attemptEntry(detail: Detail, attempt: Attempt, number: number): Entry {
  const provider = attempt.providerId === undefined ? '' : ` with ${providerLabel(attempt.providerId)}`;
  const name = attempt.replay > 0 ? `Replay ${attempt.replay}, attempt ${number}` : `Attempt ${number}`;
  const raw = attempt.answer ?? detail.raw;
  return {
    id: detail._id,
    at: detail.createdAt,
    tone: TONES[detail.status],
    title: `${name}${provider}: ${OUTCOMES[attempt.outcome]}`,
    ...(attempt.error !== undefined && { words: attempt.error }),
    ...(attempt.waitedMs !== undefined && { wait: `after ${durationOf(attempt.waitedMs)}` }),
    ...(raw !== undefined && { raw }),
  };
}

function detailEntry(detail: Detail): Entry {
  const report = detail.webhookStatus;
  return {
    id: detail._id,
    at: detail.createdAt,
    tone: SKIPPED.test(detail.detail) ? 'warn' : TONES[detail.status],
    title:
      report === undefined ? detail.detail : `${providerLabel(detail.providerId ?? 'Provider')} reported: ${report}`,
    ...wordsOf(detail),
    ...(detail.raw !== undefined && { raw: detail.raw }),
  };
}

function wordsOf({ detail, raw, webhookStatus }: Detail): { words?: string } {
  if (webhookStatus !== undefined) return { words: detail };
  const values = objectIn(raw);
  if (typeof values['error'] === 'string') return { words: values['error'] };
  if (typeof values['delay'] === 'number') return { words: `for ${durationOf(values['delay'])}` };
  const waited = waitWords(values);
  if (waited !== undefined) return { words: waited };
  if (typeof values['until'] === 'string') return { words: `until ${momentOf(values['until'])}` };
  if (typeof values['executionCount'] === 'number') {
    return {
      words: `${values['executionCount']} of ${String(values['threshold'])} until ${String(values['opensAt'])}`,
    };
  }
  const ofBudget = budgetWords(values);
  if (ofBudget !== undefined) return { words: ofBudget };
  const { method, url, status } = values;
  if (typeof method === 'string' && typeof url === 'string' && typeof status === 'number') {
    return { words: `${method} ${url}: ${status}` };
  }
  if (typeof values['name'] === 'string') return { words: values['name'] };
  return {};
}

/** Where budgets stand, or the digest that a message came with. */
function budgetWords(values: Readonly<Record<string, unknown>>): string | undefined {
  const { budget, count, max, opensAt, budgets, transactionId, messages } = values;
  if (typeof budget === 'string' && typeof opensAt === 'string') {
    return `${budget}: ${String(count)} of ${String(max)}, opens ${momentOf(opensAt)}`;
  }
  if (typeof budget === 'string' && typeof transactionId === 'string') {
    return `${budget}: one of ${String(messages)} in ${transactionId}`;
  }
  if (typeof values['critical'] === 'number') return `${values['critical']} critical of the day`;
  if (!Array.isArray(budgets)) return undefined;
  return (budgets as Readonly<Record<string, unknown>>[])
    .map((one) => `${String(one['name'])}: ${String(one['count'])} of ${String(one['max'])}`)
    .join('; ');
}

/** What a step waits for, and what the end of the wait means. */
function waitWords({ event, until, then }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof event !== 'string') return undefined;
  if (typeof until === 'string') return `${event}, until ${momentOf(until)}`;
  return typeof then === 'string' ? `${event}: ${then === 'stop' ? 'ends here' : 'goes on'}` : undefined;
}

function objectIn(text: string | undefined): Readonly<Record<string, unknown>> {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const OPERATORS: Readonly<Record<string, string>> = {
  EQUAL: 'is',
  NOT_EQUAL: 'is not',
  LARGER: 'is larger than',
  SMALLER: 'is smaller than',
  LARGER_EQUAL: 'is at least',
  SMALLER_EQUAL: 'is at most',
  IN: 'is one of',
  NOT_IN: 'is not one of',
  LIKE: 'contains',
  NOT_LIKE: 'does not contain',
  IS_DEFINED: 'is defined',
  BETWEEN: 'is between',
  NOT_BETWEEN: 'is not between',
};

export function operatorLabel(operator: string): string {
  return OPERATORS[operator] ?? operator;
}
