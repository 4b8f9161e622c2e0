export { forBrowser, forBrowsers } from './browser-content.js';
export { EarlyEngagements } from './early-engagements.js';
export { Engagements } from './engagements.js';
export { type FeedChange, FeedSignals } from './feed-signals.js';
export {
  type FeedCount,
  LiveFeedReader,
  type MessageKeyInTime,
  NO_MESSAGES,
  type UnreadCount,
} from './live-feed-reader.js';
export type { LiveMessage } from './live-message.js';
export {
  dataFaults,
  dateFaults,
  feedFaults,
  filterFaults,
  type InboxFilter,
  severityFaults,
  tagFaults,
  toFilter,
} from './inbox-filter.js';
export { InboxMessagesService, type UnreadCounts } from './inbox-messages.service.js';
export { PUSH_RECEIPT_SHARD_KEY, type PushReceiptRecord, PushReceipts } from './push-receipts.js';
export { SnoozeWorker } from './snooze-worker.js';
export { type ActionStatus, type ActionType, type ActorType, type MessageStatus } from './message.enums.js';
export { MarksService } from './marks.service.js';
export { ActionTypeParams, ActOnMessageDto, LegacyMarkMessagesDto, MarkMessagesDto } from './message.dto.js';
export { FeedMessageResponse, MessageCountResponse, MessageResponse } from './message.response.js';
export { MessageActionResponse, MessageCtaResponse, showMessageCta } from './message-parts.response.js';
export { MessageActionsService } from './message-actions.service.js';
export { MessageRemovalsService } from './message-removals.service.js';
export { payloadFaults } from './payload-filter.js';
export { SubscriberFeedService } from './subscriber-feed.service.js';
export type { MarkedState } from './marks.js';
export { MessageChanges, type MessageSummary, type SubscriberDate } from './message-changes.js';
export { type CountedMessage, MessageCounts } from './message-counts.js';
export { MessageReports, type ReportedMessage, type StatusReport } from './message-reports.js';
export {
  messageIdFor,
  type MessageKey,
  type MessageOutcome,
  type MessageProgress,
  type MessageState,
  MessageStore,
  type NewMessage,
} from './message-store.js';
export { CaughtMessages } from './caught-messages.js';
export type {
  Caught,
  Engagement,
  EngagementKind,
  Message,
  MessageActor,
  MessageButton,
  MessageContent,
  MessageContentBlock,
  MessageCta,
  UntoldEngagement,
} from './message.schema.js';
export { AwaitedMessagesChanged, MessageActed, MessagesMarked } from './messages.events.js';
export { MessagesModule } from './messages.module.js';
export { type SentMessage, SentMessages } from './sent-messages.js';
export { MessageNotOfSubscriber } from './messages.errors.js';
export { MessageErasure } from './message-erasure.js';
