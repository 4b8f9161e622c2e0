import { BSON } from 'bson';
import { Types } from 'mongoose';
import type { Channel, ProviderError, SendResult } from '#libs/channels';
import { sharedSize } from '#libs/persistence';
import { TemplateError } from '#libs/templates';
import { DETAIL } from '../../execution-details/index.js';
import type { ActiveIntegration } from '../../../management/integrations/index.js';
import { messageIdFor, type MessageOutcome, type NewMessage } from '../../messages/index.js';
import { MessageFailed, MessageSent } from '../records/delivery.events.js';
import { combine, detailOf, INTERRUPTED, outcomeOf, type StepEffects } from '../run/step-report.js';
import { tenantOf } from '../run/run.js';
import type { StepTask } from '../run/step-handler.js';
import type { InterruptedCall } from './interrupted-calls.js';
import type {
  MessageContentFields,
  ProviderChannel,
  RenderedContent,
  Target,
  Unreachable,
} from './provider-channel.js';
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

export function sentEffects(sending: Sending, result: SendResult): StepEffects {
  const { task, channel, integration, progress } = sending;
  const { state, now } = task;
  const { providerId } = integration;
  const kept = keep(task, sending.target.key, progress, {
    ...recordOf(sending),
    providerId,
    status: 'sent',
    ...(result.id !== undefined && { identifier: result.id }),
  });
  const more = { messageId: kept.message._id, providerId };
  const answer = result.raw ?? { id: result.id, date: result.date };
  const raw = result.lacksId === true ? { note: NO_ID, answer } : answer;
  const named = <T extends string>(detail: T): T | `${T}: ${string}` =>
    channel.namesProvider ? `${detail}: ${providerId}` : detail;
  return combine(kept, {
    details: [
      detailOf(state, named(DETAIL.messageCreated), now, { ...more, status: 'Pending' }),
      detailOf(state, named(DETAIL.messageSent), now, { ...more, status: 'Success', raw }),
    ],
    events: [new MessageSent(...originOf(task, kept.message))],
  });
}

/**
 * What follows from an attempt that failed.
 * @param next what is done after it
 * @returns also the error as the message shows it
 */
export function refusedEffects(
  sending: Sending,
  error: ProviderError,
  next: AfterFailure['kind'],
): { readonly effects: StepEffects; readonly errorText: string } {
  const { task, channel, target, integration, progress } = sending;
  const { state, now } = task;
  const { providerId } = integration;
  const isFinal = next === 'give_up';
  const mayBeSent = progress.mayBeSent === true;
  const errorText = mayBeSent ? `${error.message} ${isFinal ? NOT_SENT_AGAIN : MAY_BE_SENT}` : error.message;
  const kept = keep(task, target.key, progress, {
    ...recordOf(sending),
    providerId,
    status: 'error',
    errorId: channel.errorId,
    errorText,
  });
  const detail = detailOf(state, mayBeSent ? DETAIL.mayBeAccepted : DETAIL.providerError, now, {
    messageId: kept.message._id,
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
  const events = isFinal ? [new MessageFailed(...originOf(task, kept.message), errorText)] : [];
  return { effects: combine(kept, { details: [detail], events }), errorText };
}

/** What follows from a call of which only its beginning is known, where the integration or the address is no longer there. */
export function interruptedEffects(
  task: StepTask,
  { errorId }: Pick<ProviderChannel, 'errorId'>,
  { target, providerId, attempt, isSent }: InterruptedCall,
  fields: MessageContentFields,
): { readonly effects: StepEffects; readonly errorText: string } {
  if (isSent) return { effects: recoveredEffects(task, target, providerId), errorText: '' };
  const { state, now } = task;
  const errorText = `${INTERRUPTED} ${NOT_SENT_AGAIN}`;
  const kept = keep(task, target, state, { ...fields, providerId, status: 'error', errorId, errorText });
  const raw = { error: errorText, code: 'interrupted', outcome: 'uncertain', attempt: attempt + 1 };
  const detail = detailOf(state, DETAIL.mayBeAccepted, now, { messageId: kept.message._id, providerId, raw });
  const events = [new MessageFailed(...originOf(task, kept.message), errorText)];
  return { effects: combine(kept, { details: [detail], events }), errorText };
}

/** The message is stored as sent, and only the state of the run is not. */
function recoveredEffects(task: StepTask, target: string, providerId: string): StepEffects {
  const message = messageOf(task, target, { status: 'sent' });
  const detail = detailOf(task.state, DETAIL.messageSent, task.now, { messageId: message._id, providerId });
  return combine({ details: [detail], events: [new MessageSent(...originOf(task, message))] });
}

export function unreachableEffects(
  task: StepTask,
  content: RenderedContent,
  progress: SendProgress,
  { key, detail, providerId, error, raw, message }: Unreachable,
): StepEffects {
  const { state, now } = task;
  const kept =
    message && keep(task, key, progress, { ...content.record, ...message, status: 'warning', errorText: error });
  const entry = detailOf(state, detail, now, {
    raw: raw ?? { error },
    ...(providerId !== undefined && { providerId }),
    ...(kept && { messageId: kept.message._id }),
  });
  const events = kept ? [new MessageFailed(...originOf(task, kept.message), error)] : [];
  return combine(kept ?? {}, { details: [entry], events });
}

function recordOf({ task, channel, content, target, integration }: Sending): MessageContentFields {
  return { ...content.record, ...target.record, ...channel.shown?.(task, integration) };
}

/** The message of an attempt. The insert leaves a message of an earlier attempt as it is, so that one is updated as well. */
function keep(
  task: StepTask,
  target: string,
  { attempt, tried }: SendProgress,
  fields: MessageContentFields & Pick<NewMessage, 'status'>,
): { readonly message: NewMessage; readonly messages: NewMessage[]; readonly updates: MessageOutcome[] } {
  const message = messageOf(task, target, fields);
  const mayExist = task.run.wasClaimed || attempt > 0 || (tried?.length ?? 0) > 0;
  return { message, messages: [message], updates: mayExist ? [outcomeOf(message)] : [] };
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
    ...(workflow.severity !== undefined && { severity: workflow.severity }),
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
