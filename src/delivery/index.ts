export { AttachmentStore, type NewAttachment } from './accept/attachment-store.js';
export { EventIntake, type NewEvent } from './accept/event-intake.js';
export { MessageFailed, type MessageOrigin, MessageSent } from './delivery.events.js';
export { DeliveryModule } from './delivery.module.js';
export { EventCanceler } from './expansion/event-canceler.js';
export { WorkflowSnapshots } from './facts/workflow-snapshots.js';
export { DeliveryWorker } from './worker/delivery-worker.js';
