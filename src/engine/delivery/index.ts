export { EventIntake } from './event-intake.js';
export { NotificationNotFound } from './actions/actions.errors.js';
export { CancellationPending } from './expansion/cancellation.errors.js';
export { RenderingIsBusy } from './rehearsal/rehearsal.errors.js';
export { type BulkReplay, BulkReplayer, REPLAY_RESULTS, type ReplayResult } from './actions/bulk-replayer.js';
export { type Attempt, AttemptsEnded, type OwnAttempts } from './run/step-recorder.js';
export {
  BudgetDigestDue,
  BudgetDigestRefused,
  MessageFailed,
  type MessageOrigin,
  MessageSent,
  RunsEnded,
} from './records/delivery.events.js';
export { DeliveryModule } from './delivery.module.js';
export { DeliveryQueues } from './queues/delivery-queues.js';
export { EventCanceler } from './expansion/event-canceler.js';
export { APPLIED_FIELDS, stepKeys } from './steps/overrides.js';
export type { NewAttachment } from './records/attachments.js';
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
  USUAL_STATUS,
} from './records/notification.js';
export { NotificationStore } from './records/notification.js';
export type {
  NewEvent,
  RunTenant,
  TestSample,
  RecipientEntry,
  RecipientSources,
  TriggerEventRecord,
} from './records/trigger-event.js';
export { type RunOfEvent, TriggerEventStore } from './records/trigger-event.js';
export { RunWorkflows } from './records/workflow-version.js';
export { EventRehearsals, type RehearsedEvent, type RehearsedRecipient } from './rehearsal/event-rehearsals.js';
export { type PastRun, PastRuns, type RunPlace } from './rehearsal/past-runs.js';
export { type TestSend, TestSends } from './rehearsal/test-sends.js';
export { type PreviewedStep, StepPreviews, type StepToPreview, type TemplateFault } from './rehearsal/step-previews.js';
export type { RehearsedRun, RehearsedStep } from './rehearsal/rehearsal.js';
export type { ComposedMessage, ConsideredIntegration } from './run/step-handler.js';
export { DeliveryWorker } from './worker/delivery-worker.js';
export { AwaitingRuns } from './actions/awaiting-runs.js';
export { valueKeys } from './records/signals.js';
export { Step } from './run/step.decorator.js';
export type { StepContext, StepResult, StepRunner } from './records/plugin-step.types.js';
export { signalName } from './steps/wait_for_event/wait.metadata.js';
export { EventErasure } from './actions/event-erasure.js';
export { mayBeSent } from './run/replay-transitions.js';
export { RunErasure } from './actions/run-erasure.js';
export { WAIT_OUTCOMES, type WaitOutcome } from './records/step-state.js';
export type { BudgetVerdict } from './records/budget-places.js';
