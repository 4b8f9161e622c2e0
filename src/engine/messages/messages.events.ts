import type { TenantContext } from '#libs/common';
import type { ActionStatus, ActionType } from './message.enums.js';
import type { MarkedState } from './marks.js';

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

/** In-app messages became seen, read, unseen or unread. Published only when a message changed. */
export class MessagesMarked {
  constructor(
    readonly tenant: TenantContext,
    readonly subscriberId: string,
    readonly state: MarkedState,
    readonly messageIds?: readonly string[],
  ) {}
}

export class MessagesDeleted {
  constructor(
    readonly tenant: TenantContext,
    readonly which: { readonly messageId: string } | { readonly transactionId: string },
  ) {}
}
