import type { Schemas } from '../api/client.js';
import type { Tone } from '../ui/status.js';

export type Webhook = Schemas['WebhookResponse'];
export type Delivery = Schemas['WebhookDeliveryResponse'];

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
