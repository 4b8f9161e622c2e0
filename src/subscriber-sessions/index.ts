export { SubscriberSessionsModule } from './subscriber-sessions.module.js';
