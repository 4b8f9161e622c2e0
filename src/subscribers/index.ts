export { SubscriberResponse } from './subscriber.response.js';
export type {
  AddressChannel,
  BadAddress,
  ResolvedChannel,
  ResolvedSubscriber,
  SubscriberCredentials,
} from './resolved-subscriber.js';
export type { SubscriberDefinition } from './subscriber-updates.js';
export { SubscriberDeleted } from './subscribers.events.js';
export { SubscribersModule } from './subscribers.module.js';
export { type SubscriberIds, SubscribersService } from './subscribers.service.js';
