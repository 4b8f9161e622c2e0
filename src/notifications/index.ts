export {
  LANES,
  type Lane,
  type NotificationRecord,
  type NotificationStatus,
  type StepState,
  type StepStatus,
  STEP_TYPES,
  type StepType,
  type TargetState,
  UNCERTAIN,
} from './notification.record.js';
export { type GuardedWrite, NotificationStore, type RefusedWrites } from './notification-store.js';
export { NotificationNotFound } from './notifications.errors.js';
export { NotificationsModule } from './notifications.module.js';
export { rawCollection, writeFaults } from './raw-collection.js';
export type {
  AttachmentRef,
  Checkpoint,
  RecipientEntry,
  RecipientSources,
  TriggerEventRecord,
} from './trigger-event.record.js';
export { type AcceptedPayload, TriggerEventStore } from './trigger-event-store.js';
