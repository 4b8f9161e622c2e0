import { Types } from 'mongoose';
import { type Channel, isChannel } from '#libs/channels';
import { withoutNullish } from '#libs/persistence';
import { STEP_TYPES, type TrailText } from '#libs/plugins';
import { type Detail, DETAIL, type NewDetail } from '../../execution-details/index.js';
import type { MessageOutcome, NewMessage } from '../../messages/store/index.js';
import { MessageFailed, MessageSent } from '../records/delivery.events.js';
import { openCalls } from '../records/step-state.js';
import type { NotificationRecord, StepState } from '../records/notification.js';
import type { Run } from './run.js';
import type { StepOutcome } from './transitions.js';

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

class Recorded implements StepEffects {
  messages: NewMessage[] = [];
  updates: MessageOutcome[] = [];
  details: NewDetail[] = [];
  events: object[] = [];

  add({ messages, updates, details, events }: Partial<StepEffects>): void {
    if (messages !== undefined) this.messages.push(...messages);
    if (updates !== undefined) this.updates.push(...updates);
    if (details !== undefined) this.details.push(...details);
    if (events !== undefined) this.events.push(...events);
  }
}

/**
 * What one step has done so far. The runner gives it to the step and reads it once, when the step has ended or a fault has
 * interrupted it: what was done before the fault still counts.
 */
export class StepRecorder extends Recorded {
  constructor(
    private readonly step: DescribedStep,
    private readonly now: Date,
  ) {
    super();
  }

  /** Adds an entry to the trail of the step, with the time of its task. */
  note(detail: DetailText, more?: Partial<NewDetail>): void {
    this.details.push(detailOf(this.step, detail, this.now, more));
  }
}

/** What the steps of a run have done and the writer has not stored yet. */
export class Effects extends Recorded {
  attempts: Attempt[] = [];
  private batchId: Types.ObjectId | undefined;

  /** Names a batch of the details in the store, so that details which are written again after a fault are kept once. */
  get detailsId(): Types.ObjectId {
    return (this.batchId ??= new Types.ObjectId());
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
  const { status, providerId, identifier, errorId, errorText, content, subject, title, email, phone, caught } = message;
  const isSent = status === 'sent';
  return {
    environmentId: message._environmentId,
    subscriberId: message._subscriberId,
    messageId: message._id,
    status,
    ...withoutNullish({ content, subject, title, email, phone, caught }),
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

type DescribedStep = Pick<StepState, '_id' | 'type' | 'replays' | 'providerId'>;
/** A text that all types share, perhaps with a provider, or one that the type of the step declares. */
export type DetailText = Detail | `${Detail}: ${string}` | TrailText;

export function detailOf(step: DescribedStep, detail: DetailText, at: Date, more: Partial<NewDetail> = {}): NewDetail {
  return {
    jobId: step._id,
    channel: step.type,
    detail: typeof detail === 'string' ? detail : detail.text,
    at,
    ...(step.replays !== undefined && { isRetry: true }),
    // Dashboards group the trail of such a step by its provider.
    ...(step.providerId !== undefined && namesProvider(step.type) && { providerId: step.providerId }),
    ...more,
  };
}

function namesProvider(type: string): boolean {
  return STEP_TYPES.get(type)?.namesProvider === true;
}

/** Of steps that end without being reached. */
export function detailsOfEnded(steps: readonly StepState[], at: Date): NewDetail[] {
  return steps.map((step) =>
    detailOf(step, step.status === 'skipped' ? DETAIL.stepNotReached : DETAIL.stepCanceled, at, {
      raw: { reason: step.reason },
    }),
  );
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

export interface OwnAttempts {
  readonly record: Pick<NotificationRecord, '_environmentId' | '_organizationId'>;
  readonly attempts: readonly Attempt[];
}

/** Attempts to deliver have ended and are stored with the runs that made them. */
export class AttemptsEnded {
  constructor(readonly runs: readonly OwnAttempts[]) {}
}

/**
 * The attempts of a step, of which messages and events tell.
 * @param step the current one, before its outcome is applied
 * @param outcome absent: the step was interrupted
 */
export function attemptsOf(
  run: Run,
  step: StepState,
  { messages, events }: Pick<StepEffects, 'messages' | 'events'>,
  outcome: StepOutcome | undefined,
  now: Date,
): Attempt[] {
  const { type: channel } = step;
  if (!isChannel(channel)) return [];
  const isDead = outcome?.kind === 'failed' && outcome.deadLetter === true;
  const failed = new Set(events.flatMap((event) => (event instanceof MessageFailed ? event.messageId : [])));
  const ms = timeToSend(run, step, now);
  // A warning is the message of an address that is missing: no provider was called.
  const sent = messages.filter(({ status }) => status !== 'warning');
  const attempts = sent.map(({ _id, providerId, status }, place): Attempt => {
    const own = { channel, ...(providerId !== undefined && { providerId }) };
    if (status === 'sent') return { ...own, result: 'sent', ...(ms !== undefined && { ms }) };
    // A message that several integrations tried stands here once for each.
    const isLast = !sent.slice(place + 1).some((later) => later._id.equals(_id));
    if (!isLast || !failed.has(_id.toHexString())) return { ...own, result: 'retried' };
    return { ...own, result: 'failed', ...(isDead && { isDead }) };
  });
  if (outcome?.kind === 'failed' && !attempts.some(({ result }) => result === 'failed')) {
    attempts.push(...failureOf(step, isDead));
  }
  return attempts;
}

/** The failure of a step that has no message. */
export function failureOf({ type: channel, providerId }: StepState, isDead: boolean): Attempt[] {
  if (!isChannel(channel)) return [];
  return [{ channel, ...(providerId !== undefined && { providerId }), result: 'failed', ...(isDead && { isDead }) }];
}

/** Since the trigger, or the end of the step before. */
function timeToSend({ event, record }: Run, step: StepState, now: Date): number | undefined {
  if (step.replays !== undefined) return undefined;
  const ready = record.steps[record.current - 1]?.finishedAt ?? event.createdAt;
  return Math.max(0, now.getTime() - ready.getTime());
}
