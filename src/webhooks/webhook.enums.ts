/** What can be told to a webhook. */
export const WEBHOOK_EVENTS = [
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
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** `pending` waits for an attempt or is under way, `delivered` was taken, `failed` was given up and can be replayed. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
