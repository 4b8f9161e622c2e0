import type { MessageStatus, MessageSummary, SubscriberDate } from '../messages/index.js';
import type { WebhookEvent } from './webhook.enums.js';

/** Something that happened to a message. */
export interface Occurrence {
  readonly type: WebhookEvent;
  readonly at: Date;
  /** Tells occurrences of one type and message apart; the same whenever the same one is noted again. */
  readonly key: string;
  /** The provider's own words. */
  readonly response?: string;
}

/** What a message's dates say that its subscriber did, with the event that tells of it. */
export const SUBSCRIBER_EVENTS: Readonly<Record<SubscriberDate, WebhookEvent>> = {
  lastSeenDate: 'message.seen',
  lastReadDate: 'message.read',
  lastActionDate: 'message.action',
};

const IN_FORCE: Readonly<Record<SubscriberDate, (message: MessageSummary) => boolean>> = {
  lastSeenDate: ({ seen }) => seen,
  lastReadDate: ({ read }) => read,
  lastActionDate: ({ action }) => action !== undefined,
};

/**
 * What the state of a message says that its subscriber did with it. The message itself is the record of it, so this
 * gives the same whoever asks and however often.
 */
export function doneBySubscriber(message: MessageSummary): Occurrence[] {
  const fields = Object.keys(SUBSCRIBER_EVENTS) as SubscriberDate[];
  return fields.flatMap((field) => {
    const at = message[field];
    if (at === undefined || !IN_FORCE[field](message)) return [];
    return [{ type: SUBSCRIBER_EVENTS[field], at, key: String(at.getTime()) }];
  });
}

/** Every message is sent once: the engine may tell it again after a crash. */
export function sending({ updatedAt }: MessageSummary): Occurrence[] {
  return [{ type: 'message.sent', at: updatedAt, key: '' }];
}

/** A message can fail again when its step is replayed. */
export function failure({ updatedAt }: MessageSummary): Occurrence[] {
  return [{ type: 'message.failed', at: updatedAt, key: String(updatedAt.getTime()) }];
}

const REPORTED: Partial<Record<MessageStatus, WebhookEvent>> = {
  error: 'message.failed',
  delivered: 'message.delivered',
  bounced: 'message.bounced',
  opened: 'message.opened',
  clicked: 'message.clicked',
  complained: 'message.complained',
};

/** The event that tells of what a provider reports. */
export function reportedEvent(status: MessageStatus): WebhookEvent | undefined {
  return REPORTED[status];
}
