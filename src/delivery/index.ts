export { NotificationNotFound } from './actions/actions.errors.js';
export { type BulkReplay, BulkReplayer, REPLAY_RESULTS, type ReplayResult } from './actions/bulk-replayer.js';
export { AttemptsEnded, type OwnAttempts } from './run/attempts.js';
export { type Attempt, MessageFailed, type MessageOrigin, MessageSent } from './run/step-report.js';
export { DeliveryModule } from './delivery.module.js';
export { DeliveryQueues } from './queues/delivery-queues.js';
export { EventCanceler } from './expansion/event-canceler.js';
export { AttachmentStore, type NewAttachment } from './records/attachments.js';
export {
  type Lane,
  LANES,
  NOTIFICATION_STATUSES,
  type NotificationRecord,
  type NotificationStatus,
  STEP_STATUSES,
  STEP_TYPES,
  type StepState,
  type StepStatus,
  type StepType,
} from './records/notification.js';
export { NotificationStore } from './records/notification.js';
export type { RecipientEntry, RecipientSources, TriggerEventRecord } from './records/trigger-event.js';
export { TriggerEventStore } from './records/trigger-event.js';
export { WorkflowSnapshots } from './records/workflow-version.js';
export { DeliveryWorker } from './worker/delivery-worker.js';
export { EventIntake, type NewEvent } from './worker/event-work.js';
