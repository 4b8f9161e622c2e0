import type { ProviderError } from '#libs/channels';
import { type AppLogger, maskAddresses } from '#libs/http-kit';
import {
  DEAD_LETTERS,
  inSameTrace,
  NOTIFICATIONS_ENDED,
  spanIdOf,
  STEP_RETRIES,
  STEPS_ENDED,
  traces,
} from '#libs/telemetry';
import { type NotificationRecord, type StepState, UNCERTAIN } from '../records/notification.js';
import type { Run } from './run.js';
import type { StepEffects } from './step-recorder.js';
import type { StepOutcome } from './transitions.js';

/** What metrics, traces and the log say of runs. */

const MAX_ERROR_LENGTH = 300;
/** Failures of calls, which are logged when they happen. */
const LOGGED_REASONS: ReadonlySet<string> = new Set(['provider', UNCERTAIN]);

/** Every line about a notification has these fields, so that its lines can be found. */
export function idsOf(record: NotificationRecord): { transactionId: string; notificationId: string } {
  return { transactionId: record.transactionId, notificationId: record._id.toHexString() };
}

/** @param step after the outcome was applied */
export function noteStep(
  run: Run,
  step: StepState,
  outcome: StepOutcome,
  messages: StepEffects['messages'],
  logger: AppLogger,
): void {
  const { kind } = outcome;
  const { type } = step;
  if (kind === 'retry') STEP_RETRIES.add({ type });
  if (kind !== 'completed' && kind !== 'skipped' && kind !== 'failed') return;
  STEPS_ENDED.add({ type, status: kind });
  if (kind === 'failed') {
    if (outcome.deadLetter === true) DEAD_LETTERS.add({ type });
    if (!LOGGED_REASONS.has(outcome.reason)) {
      const messageId = messages.at(-1)?._id.toHexString();
      const { reason, error = '' } = outcome;
      logFailure(logger, run.record, step, { reason, error, ...(messageId !== undefined && { messageId }) });
    }
  }
  const { startedAt, finishedAt } = step;
  if (startedAt === undefined || finishedAt === undefined) return;
  traces.record(run.event.traceparent, (parent) => ({
    name: `step ${type}`,
    kind: 'internal',
    parent: inSameTrace(parent, runSpanId(run.record)),
    spanId: stepSpanId(step),
    startedAt,
    endedAt: finishedAt,
    attributes: { ...attributesOf(run.record), 'herald.step_id': step._id.toHexString(), 'herald.status': kind },
    ...(kind === 'failed' && { error: outcome.reason }),
  }));
}

export function noteEndedSteps(steps: readonly StepState[]): void {
  for (const { type, status } of steps) STEPS_ENDED.add({ type, status });
}

/** For a run that was written. */
export function noteRun({ record, event, workflow }: Run): void {
  if (record.status === 'active') return;
  NOTIFICATIONS_ENDED.add({ status: record.status });
  traces.record(event.traceparent, (parent) => ({
    name: `notification ${workflow.identifier}`,
    kind: 'internal',
    parent,
    spanId: runSpanId(record),
    startedAt: record.createdAt,
    endedAt: record.updatedAt,
    attributes: { ...attributesOf(record), 'herald.workflow': workflow.identifier, 'herald.status': record.status },
    ...(record.status === 'failed' && { error: 'failed' }),
  }));
}

export interface ProviderCall {
  readonly run: Run;
  readonly state: Readonly<StepState>;
  readonly providerId: string;
  readonly messageId: string;
  /** From 1, at this integration. */
  readonly attempt: number;
}

/** Carries out a call of a provider as a span of its step. */
export async function traceCall<T>({ run, state, ...call }: ProviderCall, send: () => Promise<T>): Promise<T> {
  const startedAt = new Date();
  let error: string | undefined = 'failed';
  try {
    const result = await send();
    error = undefined;
    return result;
  } catch (thrown) {
    error = (thrown as Partial<ProviderError>).code ?? error;
    throw thrown;
  } finally {
    const failure = error;
    traces.record(run.event.traceparent, (parent) => ({
      name: `send ${call.providerId}`,
      kind: 'client',
      parent: inSameTrace(parent, stepSpanId(state)),
      startedAt,
      endedAt: new Date(),
      attributes: {
        ...attributesOf(run.record),
        'herald.channel': state.type,
        'herald.provider': call.providerId,
        'herald.message_id': call.messageId,
        'herald.attempt': call.attempt,
      },
      ...(failure !== undefined && { error: failure }),
    }));
  }
}

/** Logs a failed attempt: as a warning if the message is not tried again. */
export function logFailedCall(
  logger: AppLogger,
  { run, state, ...call }: ProviderCall,
  { code, message, statusCode }: ProviderError,
  next: 'retry' | 'next_integration' | 'give_up',
): void {
  const isFinal = next === 'give_up';
  logger.event(isFinal ? 'warn' : 'info', isFinal ? 'delivery failed' : 'delivery attempt failed', {
    ...idsOf(run.record),
    messageId: call.messageId,
    provider: call.providerId,
    channel: state.type,
    reason: code,
    error: shortened(message),
    ...(statusCode !== undefined && { statusCode }),
    attempt: call.attempt,
    next,
  });
}

/** Logs the end of a delivery for another reason than a provider's answer. */
export function logFailure(
  logger: AppLogger,
  record: NotificationRecord,
  { type, attempt, providerId }: StepState,
  { error, ...failure }: { readonly reason: string; readonly error: string; readonly messageId?: string },
): void {
  logger.event('warn', 'delivery failed', {
    ...idsOf(record),
    ...failure,
    ...(providerId !== undefined && { provider: providerId }),
    channel: type,
    error: shortened(error),
    attempt,
  });
}

function shortened(error: string): string {
  return maskAddresses(error).slice(0, MAX_ERROR_LENGTH);
}

function attributesOf(record: NotificationRecord): Record<string, string> {
  const { transactionId, notificationId } = idsOf(record);
  return { 'herald.transaction_id': transactionId, 'herald.notification_id': notificationId };
}

function runSpanId({ _id, steps }: NotificationRecord): string {
  return spanIdOf(
    _id.toHexString(),
    steps.reduce((sum, { replays = 0 }) => sum + replays, 0),
  );
}

function stepSpanId({ _id, replays = 0 }: StepState): string {
  return spanIdOf(_id.toHexString(), replays);
}
