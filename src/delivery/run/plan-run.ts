import { createHash } from 'node:crypto';
import { Types } from 'mongoose';
import type { DetailBatch } from '../../execution-details/index.js';
import type { NotificationRecord, StepState } from '../records/notification.js';
import type { TriggerEventRecord } from '../records/trigger-event.js';
import type { RunWorkflow } from '../records/workflow-version.js';

/** The recipient of a run. */
export interface PlannedRecipient {
  /** Record id, 24 hex digits. */
  readonly _id: string;
  readonly subscriberId: string;
}

type PlannedEvent = Pick<
  TriggerEventRecord,
  '_id' | '_organizationId' | '_environmentId' | '_templateId' | 'transactionId'
>;

/** One recipient's run of an event before its first step: always the same for the same event, workflow and recipient. */
export function planRun(
  workflow: Pick<RunWorkflow, 'steps' | 'tags'>,
  event: PlannedEvent,
  recipient: PlannedRecipient,
  now: Date,
): NotificationRecord {
  const _id = notificationIdFor(event._id, recipient.subscriberId);
  const steps = workflow.steps.map((step, place): StepState => ({
    _id: derivedId(_id, String(place)),
    stepId: step._id,
    type: step.type,
    status: 'pending',
    attempt: 0,
  }));
  return {
    _id,
    _organizationId: event._organizationId,
    _environmentId: event._environmentId,
    _eventId: event._id,
    transactionId: event.transactionId,
    _templateId: event._templateId,
    _subscriberId: new Types.ObjectId(recipient._id),
    subscriberId: recipient.subscriberId,
    channels: [...new Set(workflow.steps.map(({ type }) => type))],
    ...(workflow.tags.length > 0 && { tags: [...workflow.tags] }),
    status: 'active',
    current: 0,
    steps,
    createdAt: now,
    updatedAt: now,
  };
}

/**
 * An id that is always the same for the same parts, so that doing something again makes no second record. The first four
 * bytes are those of `parent` (its time), which keeps neighbours together in the index.
 */
function derivedId(parent: Types.ObjectId, part: string): Types.ObjectId {
  const digest = createHash('sha1').update(parent.id).update(part).digest();
  const id = new Uint8Array(12);
  id.set(parent.id.subarray(0, 4), 0);
  id.set(digest.subarray(0, 8), 4);
  return new Types.ObjectId(id);
}

/** The id of one recipient's run of an event. */
export function notificationIdFor(eventId: Types.ObjectId, subscriberId: string): Types.ObjectId {
  return derivedId(eventId, subscriberId);
}

type Owner = Pick<
  NotificationRecord,
  '_id' | '_organizationId' | '_environmentId' | '_templateId' | '_subscriberId' | 'transactionId'
>;

/** The owner of a batch of details. */
export function ownerOf(record: Owner): Omit<DetailBatch, 'id' | 'entries'> {
  return {
    organizationId: record._organizationId,
    environmentId: record._environmentId,
    notificationId: record._id,
    workflowId: record._templateId,
    subscriberId: record._subscriberId,
    transactionId: record.transactionId,
  };
}
