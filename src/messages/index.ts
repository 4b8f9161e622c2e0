export { type FeedChange, FeedSignals } from './feed-signals.js';
export {
  type FeedCount,
  LiveFeedReader,
  type LiveMessage,
  MAX_COUNT,
  type MessageKeyInTime,
  type UnreadCount,
} from './live-feed-reader.js';
export { type ActionStatus, type ActionType, type ActorType, type MessageStatus } from './message.enums.js';
export type { MarkedState } from './marks.js';
export { MessageChanges, type MessageSummary, type SubscriberDate } from './message-changes.js';
export { MessageReports, type ReportedMessage, type StatusReport } from './message-reports.js';
export { messageIdFor, type MessageKey } from './message-id.js';
export type { MessageActor, MessageButton, MessageContent, MessageContentBlock, MessageCta } from './message.schema.js';
export { MessageActed, MessagesMarked } from './messages.events.js';
export { MessagesModule } from './messages.module.js';
export { MessagesService, type MessageState } from './messages.service.js';
export type { MessageOutcome, NewMessage } from './new-message.js';
