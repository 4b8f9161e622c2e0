export {
  ACTION_STATUSES,
  ACTION_TYPES,
  type ActionStatus,
  type ActionType,
  ACTOR_TYPES,
  type ActorType,
  MESSAGE_STATUSES,
  type MessageStatus,
} from './message.enums.js';
export { MessageResponse } from './message.response.js';
export type { MarkedState } from './marks.js';
export { MessageChanges, type MessageSummary, type SubscriberDate } from './message-changes.js';
export { MessageReports, type ReportedMessage, type StatusReport } from './message-reports.js';
export { messageIdFor, type MessageKey } from './message-id.js';
export type { MessageActor, MessageButton, MessageContent, MessageContentBlock, MessageCta } from './message.schema.js';
export { MessageActed, MessagesDeleted, MessagesMarked } from './messages.events.js';
export { MessagesModule } from './messages.module.js';
export { MessagesService, type MessageState } from './messages.service.js';
export type { MessageOutcome, NewMessage } from './new-message.js';
