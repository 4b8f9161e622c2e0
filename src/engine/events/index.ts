export { readBufferFiles } from './attachments.js';
export { EventEnds } from './event-ends.js';
export { EventEndsModule } from './event-ends.module.js';
export { EventResponse } from './event.response.js';
export { eventOf } from './event-draft.js';
export { readSubscriber } from './recipients.js';
export {
  actor as describedActor,
  subscriber as describedSubscriber,
  SUBSCRIBER_FIELDS,
  tenant as describedTenant,
  TENANT_FIELDS,
} from './trigger.schema.js';
export { EventsModule } from './events.module.js';
export { RefusedTriggers } from './refused-triggers.js';
