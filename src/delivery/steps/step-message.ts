import { BSON } from 'bson';
import { Types } from 'mongoose';
import type { Channel } from '#libs/channels';
import { sharedSize } from '#libs/persistence';
import { TemplateError } from '#libs/templates';
import { messageIdFor, type NewMessage } from '../../messages/index.js';
import type { MessageSent } from '../run/message.events.js';
import { tenantOf } from '../run/run.js';
import type { StepTask } from '../run/step-handler.js';

/** The store takes records of 16 MiB; the rest is for what every message has. */
const MAX_BYTES = 15_500_000;

type Own =
  | 'organizationId'
  | 'environmentId'
  | 'notificationId'
  | 'jobId'
  | 'workflowId'
  | 'subscriberId'
  | 'transactionId'
  | 'templateIdentifier'
  | 'channel'
  | 'actorId'
  | 'tags'
  | 'createdAt';

/** A message of a step, with everything that follows from its run. */
export function messageOf({ run, state, now }: StepTask, content: Omit<NewMessage, Own>): NewMessage {
  const { record, event, workflow, facts } = run;
  return {
    organizationId: record._organizationId,
    environmentId: record._environmentId,
    notificationId: record._id,
    jobId: state._id,
    workflowId: record._templateId,
    subscriberId: record._subscriberId,
    transactionId: event.transactionId,
    templateIdentifier: workflow.identifier,
    channel: state.type as Channel,
    createdAt: now,
    ...(facts.actor && { actorId: new Types.ObjectId(facts.actor._id) }),
    ...(workflow.tags.length > 0 && { tags: [...workflow.tags] }),
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

/** What domain events say about a message of a step. */
export function originOf({ run }: StepTask, message: NewMessage): [...ConstructorParameters<typeof MessageSent>] {
  return [
    tenantOf(run.event),
    messageIdFor(message).toHexString(),
    message.channel,
    run.record.subscriberId,
    {
      subscriberRecordId: run.facts.subscriber._id,
      notificationId: run.record._id.toHexString(),
      workflowId: message.workflowId.toHexString(),
      transactionId: run.event.transactionId,
    },
  ];
}

/** @throws {TemplateError} when a message of this content and payload could not be stored */
export function checkSize(fields: Partial<NewMessage>): void {
  // All recipients of an event share these two: they are measured once.
  const { payload = {}, overrides = {}, ...own } = fields;
  const bytes = BSON.calculateObjectSize(own) + sharedSize(payload) + sharedSize(overrides);
  if (bytes <= MAX_BYTES) return;
  throw new TemplateError(`the message takes ${bytes} bytes with its payload, and ${MAX_BYTES} is the most`);
}
