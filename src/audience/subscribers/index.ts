export { givenProfile, PROFILE_FIELDS, type ProfileKey, type ProfileKind, SubscriberProfileDto } from './profile.js';
export { SubscriberDirectory } from './subscriber-directory.js';
export {
  CreateSubscriberDto,
  LinkedSubscribersQuery,
  ListSubscribersQuery,
  UpdateSubscriberDto,
} from './subscriber.dto.js';
export { DeleteSubscriberResponse, SubscriberResponse } from './subscriber.response.js';
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
export { type SubscriberFilter, type SubscriberPage, SubscriberSelection } from './subscriber-selection.js';
export { SubscriberSummaries, type SubscriberSummary } from './subscriber-summaries.js';
export { AuditedSubscriber } from './subscribers.controller.js';
export { SubscribersModule } from './subscribers.module.js';
export {
  DeletionPending,
  NoActiveIntegration,
  SubscriberAlreadyExists,
  SubscriberNotFound,
} from './subscribers.errors.js';
export { AddressSuppressed, DeletionEnding, SubscriberDeleted, TimeZonesSet } from './subscribers.events.js';
export { SubscribersService } from './subscribers.service.js';
export {
  type DescribedPeople,
  DescribedSubscribers,
  type HeldAmong,
  isOlderThan,
  type Naming,
  RefusedNamings,
} from './described-subscribers.js';
export { ERASURE_SHARD_KEY, type ErasureRecord, Erasures, newErasure } from './erasures.js';
export {
  type ErasedPerson,
  type ErasureProgress,
  type HeldRecord,
  type HoldsPersonalData,
  type Person,
  PORTION,
  removeAll,
} from './personal-data.js';
export { SubscriberRecords } from './subscriber-records.js';
export type { Subscriber } from './subscriber.schema.js';
export { SUPPRESSION_KINDS, type SuppressionKind } from './subscriber.schema.js';
export { type AddressFault, type SuppressedAddress, SuppressedAddresses, type Whose } from './suppressed-addresses.js';
