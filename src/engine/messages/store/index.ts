export {
  messageIdFor,
  type MessageOutcome,
  type MessageProgress,
  type MessageState,
  MessageStore,
  type NewMessage,
} from './message-store.js';
export { type SentMessage, SentMessages } from './sent-messages.js';
export { CaughtMessages } from './caught-messages.js';
export { MessageChanges, type MessageSummary, type SubscriberDate } from './message-changes.js';
