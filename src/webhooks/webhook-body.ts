import type { WebhookDelivery } from './webhook-delivery.schema.js';

/** The bytes that a receiver gets: the same at every attempt, because they are made of what is stored. */
export function bodyOf(row: Pick<WebhookDelivery, '_id' | 'type' | 'occurredAt' | '_environmentId' | 'data'>): string {
  return JSON.stringify({
    id: row._id.toHexString(),
    type: row.type,
    createdAt: row.occurredAt.toISOString(),
    environmentId: row._environmentId.toHexString(),
    data: row.data,
  });
}
