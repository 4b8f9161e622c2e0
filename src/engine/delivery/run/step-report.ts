import { Types } from 'mongoose';
import type { Channel } from '#libs/channels';
import { withoutNullish } from '#libs/persistence';
import { DETAIL, type Detail, type NewDetail } from '../../execution-details/index.js';
import type { MessageOutcome, NewMessage } from '../../messages/index.js';
import { MessageSent } from '../records/delivery.events.js';
import { openCalls } from '../records/begun-call.js';
import type { StepState } from '../records/notification.js';
import type { Run } from './run.js';
import type { StepOutcome, StepProgress } from './transitions.js';

export interface StepEffects {
  readonly messages: readonly NewMessage[];
  /** Changes of messages that an earlier attempt may have stored. */
  readonly updates: readonly MessageOutcome[];
  readonly details: readonly NewDetail[];
  /** Domain events, published after everything is stored. */
  readonly events: readonly object[];
}

/** What became of a message at one provider, or of a step that has none. */
export interface Attempt {
  readonly channel: Channel;
  /** Absent where no provider was called, for example without an address. */
  readonly providerId?: string;
  /** `retried`: it failed, and the same or another integration tries again. */
  readonly result: 'sent' | 'retried' | 'failed';
  /** It failed, and can be replayed. */
  readonly isDead?: boolean;
  /** From the moment at which the step could begin to the acceptance by the provider; not known of replays. */
  readonly ms?: number;
}

export class Effects implements StepEffects {
  messages: NewMessage[] = [];
  updates: MessageOutcome[] = [];
  details: NewDetail[] = [];
  events: object[] = [];
  attempts: Attempt[] = [];
  private batchId: Types.ObjectId | undefined;

  /** Names a batch of the details in the store, so that details which are written again after a fault are kept once. */
  get detailsId(): Types.ObjectId {
    return (this.batchId ??= new Types.ObjectId());
  }

  add(part: Partial<StepEffects>): void {
    addTo(this, part);
  }

  /**
   * Keeps only what cannot be undone: messages that a provider accepted. Everything else is the work of the worker that
   * holds the run now, which may come to another result.
   */
  keepFacts(): void {
    const sent = this.messages.filter(isAccepted);
    if (sent.length === 0) {
      this.clear();
      return;
    }
    const ids = new Set(sent.map(({ _id }) => _id.toHexString()));
    this.messages = sent;
    this.updates = this.factUpdates();
    this.details = this.factDetails();
    this.events = this.events.filter((event) => event instanceof MessageSent && ids.has(event.messageId));
    this.attempts = this.factAttempts();
  }

  /** The attempts that a provider accepted. */
  factAttempts(): Attempt[] {
    return this.attempts.filter(({ channel, result }) => channel !== 'in_app' && result === 'sent');
  }

  /** The details of messages that a provider accepted. */
  factDetails(): NewDetail[] {
    const ids = new Set(this.messages.filter(isAccepted).map(({ _id }) => _id.toHexString()));
    if (ids.size === 0) return [];
    return this.details.filter(({ messageId }) => messageId !== undefined && ids.has(messageId.toHexString()));
  }

  /** The outcomes of messages that a provider accepted, for those that another worker has stored as failed. */
  factUpdates(): MessageOutcome[] {
    return this.messages.filter(isAccepted).map(outcomeOf);
  }

  clear(): void {
    this.batchId = undefined;
    this.messages = [];
    this.updates = [];
    this.details = [];
    this.events = [];
    this.attempts = [];
  }
}

function isAccepted({ channel, status }: NewMessage): boolean {
  return channel !== 'in_app' && status === 'sent';
}

/** What is changed in the stored message, if there is one. */
export function outcomeOf(message: NewMessage): MessageOutcome {
  const { status, providerId, identifier, errorId, errorText, content, subject, title, email, phone } = message;
  const isSent = status === 'sent';
  return {
    environmentId: message._environmentId,
    subscriberId: message._subscriberId,
    messageId: message._id,
    status,
    ...withoutNullish({ content, subject, title, email, phone }),
    ...(providerId !== undefined && { providerId }),
    ...(identifier !== undefined && { identifier }),
    ...((isSent || errorId !== undefined) && { errorId: errorId ?? null }),
    ...((isSent || errorText !== undefined) && { errorText: errorText ?? null }),
  };
}

/**
 * Changes of a message that may be stored already: a worker that stood still and has lost the run may have stored it with an event
 * that was withdrawn since. The insert leaves it as it is.
 */
export function correctionsOf({ record }: Pick<Run, 'record'>, message: NewMessage): MessageOutcome[] {
  return record.digestForOthers === true ? [outcomeOf(message)] : [];
}

export interface StepReport extends StepEffects {
  readonly outcome: StepOutcome;
  readonly progress: StepProgress;
}

/** A step is interrupted by a fault; what it has done before still counts. */
export class StepInterrupted extends Error {
  constructor(
    readonly reason: unknown,
    readonly effects: StepEffects,
  ) {
    super('A step was interrupted.', { cause: reason });
    this.name = 'StepInterrupted';
  }
}

export function combine(...parts: readonly Partial<StepEffects>[]): StepEffects {
  const all: Collected = { messages: [], updates: [], details: [], events: [] };
  for (const part of parts) addTo(all, part);
  return all;
}

type Collected = { -readonly [K in keyof StepEffects]: StepEffects[K][number][] };

function addTo(all: Collected, { messages, updates, details, events }: Partial<StepEffects>): void {
  if (messages !== undefined) all.messages.push(...messages);
  if (updates !== undefined) all.updates.push(...updates);
  if (details !== undefined) all.details.push(...details);
  if (events !== undefined) all.events.push(...events);
}

export function reportOf(outcome: StepOutcome, details: readonly NewDetail[], progress: StepProgress = {}): StepReport {
  return { outcome, progress, ...combine({ details }) };
}

/** Carries out the next part of a step. @throws {StepInterrupted} with what was done before, when that part fails */
export async function keeping<T>(done: Partial<StepEffects>, next: () => Promise<T>): Promise<T> {
  try {
    return await next();
  } catch (error) {
    const { reason, effects } = interruptionOf(error);
    throw new StepInterrupted(reason, combine(done, effects));
  }
}

/** Puts what was done before in front of the report of the next part. @throws {StepInterrupted} as {@link keeping} */
export async function after(done: Partial<StepEffects>, next: () => Promise<StepReport>): Promise<StepReport> {
  const report = await keeping(done, next);
  return { outcome: report.outcome, progress: report.progress, ...combine(done, report) };
}

export function interruptionOf(error: unknown): { readonly reason: unknown; readonly effects: StepEffects } {
  return error instanceof StepInterrupted ? error : { reason: error, effects: combine() };
}

export function detailOf(
  step: Pick<StepState, '_id' | 'type' | 'replays' | 'providerId'>,
  detail: Detail | `${Detail}: ${string}`,
  at: Date,
  more: Partial<NewDetail> = {},
): NewDetail {
  return {
    jobId: step._id,
    channel: step.type,
    detail,
    at,
    ...(step.replays !== undefined && { isRetry: true }),
    // Dashboards group the trail of a push step by its provider from the beginning.
    ...(step.type === 'push' && step.providerId !== undefined && { providerId: step.providerId }),
    ...more,
  };
}

export function detailsOfCanceled(steps: readonly StepState[], at: Date): NewDetail[] {
  return steps.map((step) => detailOf(step, DETAIL.stepCanceled, at, { raw: { reason: step.reason } }));
}

/** What the trail says where a step ends that a worker was interrupted in after it had begun to call providers. */
export function interruptionDetails(step: StepState, at: Date): NewDetail[] {
  return openCalls(step).map(({ providerId, attempt }) => {
    const raw = { error: INTERRUPTED_AND_ENDED, code: 'interrupted', outcome: 'uncertain', attempt: attempt + 1 };
    return detailOf(step, DETAIL.mayBeAccepted, at, { providerId, raw });
  });
}

export const INTERRUPTED =
  'Herald was interrupted after it had begun the call of the provider and before it recorded the answer.';
const INTERRUPTED_AND_ENDED = `${INTERRUPTED} The message may have been sent.`;
