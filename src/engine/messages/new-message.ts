import type { Types } from 'mongoose';
import { createHash } from 'node:crypto';
import { objectIdFrom } from '#libs/persistence';
import type { MessageStatus } from './message.enums.js';
import type { Caught, Message, MessageContent } from './message.schema.js';

export interface MessageKey {
  readonly notificationId: Types.ObjectId;
  readonly jobId: Types.ObjectId;
  /** Distinguishes messages of one step: a device token or a webhook URL. */
  readonly target?: string;
}

/**
 * Deterministic: a step repeated after a crash writes the same message, and details can name it before it is stored.
 */
export function messageIdFor({ notificationId, jobId, target = '' }: MessageKey): Types.ObjectId {
  const digest = createHash('sha256').update(notificationId.id).update(jobId.id).update(target).digest();
  return objectIdFrom(notificationId, digest);
}

const DAY_MS = 86_400_000;

/** Without values that are equal in every new row. `messageIdFor` gives the `_id`. Undefined counts as absent. */
export type NewMessage = Omit<
  Message,
  | 'seen'
  | 'read'
  | 'archived'
  | 'opens'
  | 'clicks'
  | 'deleted'
  | 'updatedAt'
  | 'expireAt'
  | '__v'
  | 'wakeAt'
  | 'lease'
  | 'takenUp'
>;

/** Days; 0 keeps messages indefinitely. */
export interface Retention {
  readonly inAppDays: number;
  readonly otherDays: number;
}

/** Absent fields are kept. */
export interface MessageOutcome {
  readonly environmentId: Types.ObjectId;
  /** Record id. */
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
  readonly caught?: Caught;
  /** Null removes it. */
  readonly errorId?: string | null;
  /** Null removes it. */
  readonly errorText?: string | null;
}

/** Without Mongoose, because thousands are written each second. Undefined values must not be stored. */
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
