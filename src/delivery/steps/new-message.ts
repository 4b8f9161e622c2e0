import { Types } from 'mongoose';
import type { Channel } from '#libs/channels';
import type { NewMessage } from '../../messages/index.js';
import type { StepState } from '../records/notification.record.js';
import type { Run } from '../run/run.js';

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
  | 'tags';

/** A message of a step, with everything that follows from whose it is. */
export function newMessage(run: Run, state: StepState, content: Omit<NewMessage, Own>): NewMessage {
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
