import type { Detail, NewDetail } from '../../execution-details/index.js';
import type { MessageOutcome, NewMessage } from '../../messages/index.js';
import type { StepState } from '../records/notification.js';
import type { StepOutcome, StepProgress } from './transitions.js';

/** What a step, or a part of it, has done in addition to its outcome. */
export interface StepEffects {
  /** Messages to store. */
  readonly messages: readonly NewMessage[];
  /** Changes of messages that an earlier attempt may have stored. */
  readonly updates: readonly MessageOutcome[];
  /** Entries of the trail, in order. */
  readonly details: readonly NewDetail[];
  /** Domain events, published after everything is stored. */
  readonly events: readonly object[];
}

/** What a handler returns: everything that follows from carrying out a step. */
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

/** Joins effects in order. */
export function combine(...parts: readonly Partial<StepEffects>[]): StepEffects {
  return {
    messages: parts.flatMap(({ messages = [] }) => messages),
    updates: parts.flatMap(({ updates = [] }) => updates),
    details: parts.flatMap(({ details = [] }) => details),
    events: parts.flatMap(({ events = [] }) => events),
  };
}

/** The report of a step that has nothing to show but details. */
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

/** The fault behind an error of a step, and what the step had done before. */
export function interruptionOf(error: unknown): { readonly reason: unknown; readonly effects: StepEffects } {
  return error instanceof StepInterrupted ? error : { reason: error, effects: combine() };
}

/** An entry of a step's trail. */
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
