export type {
  Caught,
  Engagement,
  EngagementKind,
  Message,
  MessageActor,
  MessageCta,
  UntoldEngagement,
} from './message.schema.js';
export type { MessageStatus } from './message.enums.js';
export { AwaitedMessagesChanged, MessageActed, MessagesMarked, QuestionButtonUsed } from './messages.events.js';
export type { MarkedState } from './marks.js';
