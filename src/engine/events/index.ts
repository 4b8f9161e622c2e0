export { readBufferFiles } from './attachments.js';
export { BudgetStandingResponse } from './dry-run-step.response.js';
export { DryRunResponse } from './dry-run.response.js';
export { DryRunService } from './dry-run.service.js';
export { EventLookup } from './event-lookup.js';
export { EventEnds } from './event-ends.js';
export { EventEndsModule } from './event-ends.module.js';
export { EventResponse } from './event.response.js';
export { eventOf, missingFromPayload, withDefaults } from './event-draft.js';
export { refusalStatus } from './trigger-gate.js';
export { TRIGGER_HINTS } from './trigger-hints.js';
export { parseRecipients, readSubscriber } from './recipients.js';
export {
  actor as describedActor,
  subscriber as describedSubscriber,
  SUBSCRIBER_FIELDS,
  tenant as describedTenant,
  TENANT_FIELDS,
} from './trigger.schema.js';
export { EventsModule } from './events.module.js';
export { type EventMarks, EventsService } from './events.service.js';
export { DryRunQuery, TriggerEventDto } from './event.dto.js';
export { TriggerResponse } from './event.response.js';
export { EventTooLarge, PayloadIncomplete, TriggerIncomplete, TriggerNotFound } from './events.errors.js';
export { RefusedTriggers } from './refused-triggers.js';
