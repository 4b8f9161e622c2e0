import type { Types } from 'mongoose';
import type { MessageStatus } from './message.enums.js';
import type { Message, MessageContent } from './message.schema.js';

const DAY_MS = 86_400_000;

/**
 * A message as the engine creates it: its row, without what is the same in every new row. Its `_id` is that of
 * `messageIdFor`. Values of undefined count as absent.
 */
export type NewMessage = Omit<
  Message,
  'seen' | 'read' | 'archived' | 'deleted' | 'updatedAt' | 'expireAt' | '__v' | 'wakeAt' | 'lease' | 'takenUp'
>;

/** How long messages are kept, in days; 0 keeps them indefinitely. */
export interface Retention {
  readonly inAppDays: number;
  readonly otherDays: number;
}

/** Changes of a message after it was written. Absent fields stay as they are. */
export interface MessageOutcome {
  readonly environmentId: Types.ObjectId;
  /** Of the record. */
  readonly subscriberId: Types.ObjectId;
  readonly messageId: Types.ObjectId;
  readonly status?: MessageStatus;
  readonly content?: MessageContent;
  readonly subject?: string;
  readonly title?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly providerId?: string;
  readonly identifier?: string;
  /** Null removes it. */
  readonly errorId?: string | null;
  /** Null removes it. */
  readonly errorText?: string | null;
}

/**
 * The row of a new message, made without Mongoose because thousands are written each second. Values of undefined are not to be
 * stored.
 */
export function newRow(message: NewMessage, { inAppDays, otherDays }: Retention): Message {
  const { channel, createdAt } = message;
  const days = channel === 'in_app' ? inAppDays : otherDays;
  return {
    ...message,
    seen: false,
    read: false,
    archived: false,
    ...(days > 0 && { expireAt: new Date(createdAt.getTime() + days * DAY_MS) }),
    deleted: false,
    updatedAt: createdAt,
    __v: 0,
  };
}
