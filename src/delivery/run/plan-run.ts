import { Types } from 'mongoose';
import type { NotificationRecord, StepState } from '../records/notification.record.js';
import type { TriggerEventRecord } from '../records/trigger-event.record.js';
import { derivedId, notificationIdFor } from './derived-id.js';
import type { RunWorkflow } from '../records/run-workflow.js';

/** Whom a run is for. */
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
