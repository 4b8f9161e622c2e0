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
export { messageIdFor, type MessageKey } from './message-id.js';
export type { MessageActor, MessageButton, MessageContent, MessageContentBlock, MessageCta } from './message.schema.js';
export { MessagesModule } from './messages.module.js';
export { MessagesService } from './messages.service.js';
export type { MessageOutcome, NewMessage } from './new-message.js';
