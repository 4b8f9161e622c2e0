import { BSON } from 'bson';
import { Types } from 'mongoose';
import type { Channel, ProviderError, SendResult } from '#libs/channels';
import { sharedSize } from '#libs/persistence';
import { TemplateError } from '#libs/templates';
import { DETAIL } from '../../execution-details/index.js';
import { type ActiveIntegration, composerOf } from '../../../channels/integrations/index.js';
import type { Caught } from '../../messages/records/index.js';
import { messageIdFor, type NewMessage } from '../../messages/store/index.js';
import { MessageFailed, MessageSent } from '../records/delivery.events.js';
import { INTERRUPTED, outcomeOf } from '../run/step-recorder.js';
import { tenantOf } from '../run/run.js';
import type { StepTask } from '../run/step-handler.js';
import type { InterruptedCall } from '../run/begun-calls.js';
import type {
  MessageContentFields,
  ProviderChannel,
  RenderedContent,
  Target,
  Unreachable,
} from './provider-channel.js';
import { severityOf } from './overrides.js';
import type { AfterFailure, SendProgress } from './retry-rules.js';

const NO_ID =
  'The provider accepted the message. Its answer holds no message id, so later reports of the provider cannot be matched with it.';
const MAY_BE_SENT = 'The message may have been sent.';
const NOT_SENT_AGAIN = `${MAY_BE_SENT} It is not sent again unless it is replayed with includeUncertain.`;

export interface Sending {
  readonly task: StepTask;
  readonly channel: ProviderChannel;
  readonly content: RenderedContent;
  readonly target: Target;
  readonly integration: ActiveIntegration;
  readonly progress: SendProgress;
}

export function recordSent(sending: Sending, result: SendResult): void {
  const { task, channel, integration, progress } = sending;
  const { recorder } = task;
  const { providerId } = integration;
  const message = recordMessage(task, sending.target.key, progress, {
    ...recordOf(sending),
    providerId,
    status: 'sent',
    ...(result.id !== undefined && { identifier: result.id }),
    ...(result.caught && { caught: { ...result.caught, ...insteadOf(integration) } }),
  });
  const more = { messageId: message._id, providerId };
  const answer = result.raw ?? { id: result.id, date: result.date };
  const raw = result.lacksId === true ? { note: NO_ID, answer } : answer;
  const named = <T extends string>(detail: T): T | `${T}: ${string}` =>
    channel.namesProvider ? `${detail}: ${providerId}` : detail;
  recorder.note(named(DETAIL.messageCreated), { ...more, status: 'Pending' });
  recorder.note(named(DETAIL.messageSent), { ...more, status: 'Success', raw });
  recorder.add({ events: [new MessageSent(...originOf(task, message))] });
}

/**
 * Records an attempt that failed.
 * @param next what is done after it
 * @returns the error as the message shows it
 */
export function recordRefused(sending: Sending, error: ProviderError, next: AfterFailure['kind']): string {
  const { task, channel, target, integration, progress } = sending;
  const { recorder } = task;
  const { providerId } = integration;
  const isFinal = next === 'give_up';
  const mayBeSent = progress.mayBeSent === true;
  const errorText = mayBeSent ? `${error.message} ${isFinal ? NOT_SENT_AGAIN : MAY_BE_SENT}` : error.message;
  const message = recordMessage(task, target.key, progress, {
    ...recordOf(sending),
    providerId,
    status: 'error',
    errorId: channel.errorId,
    errorText,
  });
  recorder.note(mayBeSent ? DETAIL.mayBeAccepted : DETAIL.providerError, {
    messageId: message._id,
    providerId,
    ...(!isFinal && { status: 'Warning', isRetry: true }),
    raw: {
      error: errorText,
      code: error.code,
      outcome: error.outcome,
      attempt: progress.attempt + 1,
      answer: error.raw,
    },
  });
  if (isFinal) recorder.add({ events: [new MessageFailed(...originOf(task, message), errorText)] });
  return errorText;
}

/**
 * Records a call of which only its beginning is known, where the integration or the address is no longer there.
 * @returns the error as the message shows it
 */
export function recordInterrupted(
  task: StepTask,
  { errorId }: Pick<ProviderChannel, 'errorId'>,
  { target, providerId, attempt, isSent }: InterruptedCall,
  fields: MessageContentFields,
): string {
  const { state, recorder } = task;
  if (isSent) {
    // The message is stored as sent, and only the state of the run is not.
    const message = messageOf(task, target, { status: 'sent' });
    recorder.note(DETAIL.messageSent, { messageId: message._id, providerId });
    recorder.add({ events: [new MessageSent(...originOf(task, message))] });
    return '';
  }
  const errorText = `${INTERRUPTED} ${NOT_SENT_AGAIN}`;
  const message = recordMessage(task, target, state, { ...fields, providerId, status: 'error', errorId, errorText });
  const raw = { error: errorText, code: 'interrupted', outcome: 'uncertain', attempt: attempt + 1 };
  recorder.note(DETAIL.mayBeAccepted, { messageId: message._id, providerId, raw });
  recorder.add({ events: [new MessageFailed(...originOf(task, message), errorText)] });
  return errorText;
}

export function recordUnreachable(
  task: StepTask,
  content: RenderedContent,
  progress: SendProgress,
  { key, detail, providerId, error, raw, message: fields }: Unreachable,
): void {
  const { recorder } = task;
  const message =
    fields && recordMessage(task, key, progress, { ...content.record, ...fields, status: 'warning', errorText: error });
  recorder.note(detail, {
    raw: raw ?? { error },
    ...(providerId !== undefined && { providerId }),
    ...(message && { messageId: message._id }),
  });
  if (message) recorder.add({ events: [new MessageFailed(...originOf(task, message), error)] });
}

function recordOf({ task, channel, content, target, integration }: Sending): MessageContentFields {
  return { ...content.record, ...target.record, ...channel.shown?.(task, composerOf(integration)) };
}

function insteadOf({ insteadOf }: ActiveIntegration): Pick<Caught, 'insteadOf'> {
  return insteadOf === undefined ? {} : { insteadOf: insteadOf.providerId };
}

/** Records the message of an attempt. The insert leaves a message of an earlier attempt as it is, so that one is updated as well. */
function recordMessage(
  task: StepTask,
  target: string,
  { attempt, tried }: SendProgress,
  fields: MessageContentFields & Pick<NewMessage, 'status'>,
): NewMessage {
  const message = messageOf(task, target, fields);
  const mayExist = task.run.wasClaimed || attempt > 0 || (tried?.length ?? 0) > 0;
  task.recorder.add({ messages: [message], updates: mayExist ? [outcomeOf(message)] : [] });
  return message;
}

/** The store takes records of 16 MiB; the rest is for what every message has. */
const MAX_BYTES = 15_500_000;

/**
 * A message of a step, with everything that follows from its run.
 * @param target identifies the target where the step has several
 */
export function messageOf(
  { run, state, now }: StepTask,
  target: string,
  content: MessageContentFields & Pick<NewMessage, 'status'>,
): NewMessage {
  const { record, event, workflow, facts } = run;
  const severity = severityOf(run);
  return {
    _id: messageIdFor({ notificationId: record._id, jobId: state._id, target }),
    _organizationId: record._organizationId,
    _environmentId: record._environmentId,
    _notificationId: record._id,
    _jobId: state._id,
    _templateId: record._templateId,
    _subscriberId: record._subscriberId,
    transactionId: event.transactionId,
    templateIdentifier: workflow.identifier,
    channel: state.type as Channel,
    createdAt: now,
    ...(facts.actor && { _actorId: new Types.ObjectId(facts.actor._id) }),
    ...(workflow.tags.length > 0 && { tags: [...workflow.tags] }),
    ...(severity !== undefined && { severity }),
    ...(workflow.awaitsMessages && { awaited: true }),
    ...(event.question && { question: event.question }),
    ...content,
    ...(content.payload && { payload: withoutAttachments(content.payload) }),
  };
}

/** Files belong to the event, and messages do not show them. */
function withoutAttachments(payload: NonNullable<NewMessage['payload']>): NonNullable<NewMessage['payload']> {
  if (!Array.isArray(payload['attachments'])) return payload;
  const rest = { ...payload };
  delete rest['attachments'];
  return rest;
}

export function originOf({ run }: StepTask, message: NewMessage): [...ConstructorParameters<typeof MessageSent>] {
  return [
    tenantOf(run.event),
    message._id.toHexString(),
    message.channel,
    run.record.subscriberId,
    {
      subscriberRecordId: run.facts.subscriber._id,
      notificationId: run.record._id.toHexString(),
      workflowId: message._templateId.toHexString(),
      transactionId: run.event.transactionId,
    },
  ];
}

/** @throws {TemplateError} when a message of this content and payload could not be stored */
export function checkSize(fields: MessageContentFields): void {
  // All recipients of an event share these two: they are measured once.
  const { payload = {}, overrides = {}, ...own } = fields;
  const bytes = BSON.calculateObjectSize(own) + sharedSize(payload) + sharedSize(overrides);
  if (bytes <= MAX_BYTES) return;
  throw new TemplateError(
    `the message takes ${bytes.toLocaleString('en')} bytes with its payload; the maximum is ${MAX_BYTES.toLocaleString('en')}`,
  );
}
