export { readBufferFiles } from './attachments.js';
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
