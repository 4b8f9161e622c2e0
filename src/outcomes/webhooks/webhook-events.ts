import type { MessageStatus } from '../../engine/messages/records/index.js';
import type { MessageSummary, SubscriberDate } from '../../engine/messages/store/index.js';

export const MESSAGE_EVENT_TYPES = [
  'message.sent',
  'message.failed',
  'message.delivered',
  'message.bounced',
  'message.opened',
  'message.clicked',
  'message.complained',
  'message.seen',
  'message.read',
  'message.action',
] as const;
type MessageEventType = (typeof MESSAGE_EVENT_TYPES)[number];

export const EVENT_COMPLETED = 'event.completed';
export const AUDIT_RECORDED = 'audit.recorded';
export const QUESTION_ANSWERED = 'question.answered';
export const WEBHOOK_EVENT_TYPES = [
  ...MESSAGE_EVENT_TYPES,
  EVENT_COMPLETED,
  QUESTION_ANSWERED,
  'preference.changed',
  'suppression.added',
  'suppression.lifted',
  'integration.down',
  'integration.up',
  AUDIT_RECORDED,
] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/** Sent to one webhook when somebody asks for it; no webhook has to choose it. */
export const WEBHOOK_TEST = 'webhook.test';
export const DELIVERED_TYPES = [...WEBHOOK_EVENT_TYPES, WEBHOOK_TEST] as const;
export type DeliveredType = (typeof DELIVERED_TYPES)[number];

export interface WebhookEvent {
  readonly type: MessageEventType;
  readonly at: Date;
  /** Equal for every repetition of an event; distinguishes events of one type and message. */
  readonly key: string;
  readonly response?: string;
  readonly machine?: boolean;
  readonly url?: string;
}

export const SUBSCRIBER_EVENT_TYPES: Readonly<Record<SubscriberDate, MessageEventType>> = {
  lastSeenDate: 'message.seen',
  lastReadDate: 'message.read',
  lastActionDate: 'message.action',
};

const IN_FORCE: Readonly<Record<SubscriberDate, (message: MessageSummary) => boolean>> = {
  lastSeenDate: ({ seen }) => seen,
  lastReadDate: ({ read }) => read,
  lastActionDate: ({ action }) => action !== undefined,
};

/** Derived from the state of the message, so the same for every caller at any time. */
export function subscriberEvents(message: MessageSummary): WebhookEvent[] {
  const fields = Object.keys(SUBSCRIBER_EVENT_TYPES) as SubscriberDate[];
  return fields.flatMap((field) => {
    const at = message[field];
    if (at === undefined || !IN_FORCE[field](message)) return [];
    return [{ type: SUBSCRIBER_EVENT_TYPES[field], at, key: String(at.getTime()) }];
  });
}

/** Equal however often the engine reports it after a crash. */
export function sentEvents({ updatedAt }: MessageSummary): WebhookEvent[] {
  return [{ type: 'message.sent', at: updatedAt, key: '' }];
}

/** A message can fail again when its step is replayed. */
export function failedEvents({ updatedAt }: MessageSummary): WebhookEvent[] {
  return [{ type: 'message.failed', at: updatedAt, key: String(updatedAt.getTime()) }];
}

const REPORTED: Partial<Record<MessageStatus, MessageEventType>> = {
  error: 'message.failed',
  delivered: 'message.delivered',
  bounced: 'message.bounced',
  opened: 'message.opened',
  clicked: 'message.clicked',
  complained: 'message.complained',
};

export function reportedEventType(status: MessageStatus): MessageEventType | undefined {
  return REPORTED[status];
}
