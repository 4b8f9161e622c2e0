const TRIGGERS = /^\/v1\/events\/trigger(\/broadcast|\/bulk)?$/;

/**
 * Gives the events of a trigger a transaction id, if they have none: Herald remembers it longer than an idempotency key, and
 * also where it is not known whether a change was stored.
 */
export function withTransactionId(path: string, body: unknown, key: string): unknown {
  if (!TRIGGERS.test(path) || typeof body !== 'object' || body === null) return body;
  if (!('events' in body)) return identified(body, key);
  const { events } = body;
  return Array.isArray(events) ? { ...body, events: events.map((one, at) => identified(one, `${key}-${at}`)) } : body;
}

function identified(event: unknown, id: string): unknown {
  if (typeof event !== 'object' || event === null) return event;
  const { transactionId } = event as { transactionId?: unknown };
  return transactionId === undefined || transactionId === null ? { ...event, transactionId: id } : event;
}
