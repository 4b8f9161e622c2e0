export { MessageNotOfSubscriber } from './messages.errors.js';
export { MarksService } from './marks.service.js';
export { MessageActionsService } from './message-actions.service.js';
export { QuestionAlreadyAnswered, QuestionEnded } from './question.errors.js';
export { type ChatCopy, QuestionCopies } from './question-copies.js';
export { MessageRemovalsService } from './message-removals.service.js';
export { SnoozeWorker } from './snooze-worker.js';
export { ActionTypeParams, ActOnMessageDto, LegacyMarkMessagesDto, MarkMessagesDto } from './message.dto.js';
