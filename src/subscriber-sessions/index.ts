export { SubscriberSessionsModule } from './subscriber-sessions.module.js';
export { SessionInvalid } from './sessions.errors.js';
export { type SubscriberSession, SubscriberSessionsService } from './subscriber-sessions.service.js';
