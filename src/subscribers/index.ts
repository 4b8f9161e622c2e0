export { SubscriberProfileDto } from './subscriber.dto.js';
export { SubscriberResponse } from './subscriber.response.js';
export type {
  AddressChannel,
  BadAddress,
  ResolvedChannel,
  ResolvedSubscriber,
  SubscriberCredentials,
} from './resolved-subscriber.js';
export type { DescribedRecipient, ForeseenSubscriber } from './foreseen-subscriber.js';
export type { SubscriberDefinition } from './subscriber-writes.js';
export { type PresenceChange, SubscriberPresence } from './subscriber-presence.js';
export { SubscriberSummaries, type SubscriberSummary } from './subscriber-summaries.js';
export { SubscribersModule } from './subscribers.module.js';
export { NoActiveIntegration, SubscriberNotFound } from './subscribers.errors.js';
export { SubscriberDeleted, SubscribersService } from './subscribers.service.js';
