export { CreatesSessions } from './session-limit.guard.js';
export { MAX_SESSION_BYTES } from './subscriber-sessions.controller.js';
export { SubscriberSessionsModule } from './subscriber-sessions.module.js';
export { HmacInvalid, InAppInactive, SessionInvalid, TooManySessions, UnknownApplication } from './sessions.errors.js';
export { type SubscriberSession, SubscriberSessionsService } from './subscriber-sessions.service.js';
export { SessionsEnded } from './session-ends.js';
export { type StreamTicket, StreamTickets } from './stream-tickets.js';
