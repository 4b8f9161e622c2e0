import type { TenantContext } from '#libs/common';
import type { ActionStatus, ActionType } from './message.enums.js';
import type { MarkedState } from './marks.js';
import type { Message } from './message.schema.js';

/** A button of a message was used, or its use was undone. Published only when this changed the message. */
export class MessageActed {
  constructor(
    readonly tenant: TenantContext,
    readonly messageId: string,
    readonly subscriberId: string,
    readonly action: {
      readonly type: ActionType;
      readonly status: ActionStatus;
      readonly payload?: Record<string, unknown>;
    },
  ) {}
}

/** A button of a message that asks a question is about to be used, or to be taken back. A listener answers the question first. */
export class QuestionButtonUsed {
  /** Set by the listener when the question has ended: who decided what, and when. */
  ended?: readonly [decision: string, at: string];
  /** Set by the listener when the subscriber has given this answer, which stays. */
  answered?: string;

  constructor(
    readonly tenant: TenantContext,
    readonly questionId: string,
    readonly subscriber: { readonly _id: string; readonly subscriberId: string },
    readonly button: ActionType,
    readonly isUndone: boolean,
  ) {}
}

/** In-app messages became seen, read, unseen or unread. Published only when a message changed. */
export class MessagesMarked {
  constructor(
    readonly tenant: TenantContext,
    readonly subscriberId: string,
    readonly state: MarkedState,
    readonly messageIds?: readonly string[],
  ) {}
}

/**
 * Something has happened to messages that a later step of their notifications may wait for. Of a request that is repeated, also
 * where nothing has changed: the process that changed them may have died before it said so.
 */
export class AwaitedMessagesChanged {
  constructor(
    readonly tenant: Pick<TenantContext, 'environmentId'>,
    /** As webhooks name them. */
    readonly events: readonly string[],
    readonly notifications: readonly Pick<Message, '_notificationId' | '_subscriberId'>[],
  ) {}
}

export class MessagesDeleted {
  constructor(
    readonly tenant: TenantContext,
    readonly which: { readonly messageId: string } | { readonly transactionId: string },
  ) {}
}
