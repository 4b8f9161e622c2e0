export { NotificationNotFound } from './replay/replay.errors.js';
export { MessageFailed, type MessageOrigin, MessageSent } from './run/message.events.js';
export { DeliveryModule } from './delivery.module.js';
export { EventCanceler } from './expansion/event-canceler.js';
export { AttachmentStore, type NewAttachment } from './records/attachment-store.js';
export {
  NOTIFICATION_STATUSES,
  type NotificationRecord,
  type NotificationStatus,
  STEP_STATUSES,
  STEP_TYPES,
  type StepState,
  type StepStatus,
  type StepType,
} from './records/notification.record.js';
export { NotificationStore } from './records/notification-store.js';
export type { RecipientEntry, RecipientSources, TriggerEventRecord } from './records/trigger-event.record.js';
export { TriggerEventStore } from './records/trigger-event-store.js';
export { WorkflowSnapshots } from './records/workflow-snapshots.js';
export { DeliveryWorker } from './worker/delivery-worker.js';
export { EventIntake, type NewEvent } from './worker/event-intake.js';
