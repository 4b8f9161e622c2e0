import type { Schemas } from '../api/client.js';
import type { Tone } from '../ui/status.js';

export type Webhook = Schemas['WebhookResponse'];
export type Delivery = Schemas['WebhookDeliveryResponse'];

export type WebhookEvent = Webhook['events'][number];

const EVENT_WORDS: Readonly<Record<WebhookEvent, string>> = {
  'message.sent': 'Message sent',
  'message.failed': 'Message failed',
  'message.delivered': 'Message delivered, as the provider reports',
  'message.bounced': 'Message bounced',
  'message.opened': 'Mail opened',
  'message.clicked': 'Link clicked',
  'message.complained': 'Marked as spam',
  'message.seen': 'Message seen in the inbox',
  'message.read': 'Message read in the inbox',
  'message.action': 'Button of a message pressed',
  'event.completed': 'Event completed for all recipients',
  'question.answered': 'Question answered, or ended',
  'preference.changed': 'Preference changed',
  'suppression.added': 'Address suppressed',
  'suppression.lifted': 'Suppression lifted',
  'integration.down': 'Provider does not answer',
  'integration.up': 'Provider answers again',
  'audit.recorded': 'Entry of the audit log; for owners',
};

/** What webhooks can be told of. */
export const EVENTS = Object.entries(EVENT_WORDS).map(([event, words]) => ({ event: event as WebhookEvent, words }));

interface Word {
  readonly tone: Tone;
  readonly label: string;
}

export function webhookWord({ active, disabledReason }: Pick<Webhook, 'active' | 'disabledReason'>): Word {
  if (active) return { tone: 'good', label: 'Active' };
  return disabledReason === undefined
    ? { tone: 'idle', label: 'Inactive' }
    : { tone: 'bad', label: 'Disabled by Herald' };
}

export function deliveryWord({ status, attempts }: Pick<Delivery, 'status' | 'attempts'>): Word {
  if (status === 'delivered') return { tone: 'good', label: 'Delivered' };
  if (status === 'failed') return { tone: 'bad', label: 'Failed' };
  return attempts === 0 ? { tone: 'busy', label: 'Pending' } : { tone: 'warn', label: 'Retrying' };
}

/** What the receiver answered at last, or why there was no answer. */
export function answerWords({
  lastStatusCode,
  lastError,
  status,
}: Pick<Delivery, 'lastStatusCode' | 'lastError' | 'status'>): string {
  const error = lastError ?? '';
  if (lastStatusCode === undefined) return error;
  const code = `HTTP ${lastStatusCode}`;
  return status === 'delivered' || error === '' || error.includes(String(lastStatusCode))
    ? error || code
    : `${code}: ${error}`;
}

/** Whether a replay is possible: an inactive webhook takes none, and a pending delivery is tried anyhow. */
export function isReplayable({ status }: Pick<Delivery, 'status'>, { active }: Pick<Webhook, 'active'>): boolean {
  return active && status !== 'pending';
}

/** The host of a URL, to name the webhook by. Its path and query may hold a secret. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
