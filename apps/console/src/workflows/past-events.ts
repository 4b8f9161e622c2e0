import type { Schemas } from '../api/client.js';

type Notification = Schemas['NotificationResponse'];

/** A past event to take the payload and the subscriber from. */
export interface PastEvent {
  readonly id: string;
  readonly label: string;
  readonly payload: unknown;
  readonly subscriberId: string | undefined;
}

/** Events of a workflow whose payloads differ, newest first. */
export function pastEvents(notifications: readonly Notification[], wordsOf: (at: string) => string): PastEvent[] {
  const seen = new Set<string>();
  return notifications.flatMap(({ _id, payload, subscriber, createdAt, isTest }): PastEvent[] => {
    // Tests may have subscribers that are not stored.
    if (isTest) return [];
    const key = JSON.stringify(payload ?? {});
    if (seen.has(key)) return [];
    seen.add(key);
    const subscriberId = subscriber?.subscriberId;
    const label = `${wordsOf(createdAt)}${subscriberId === undefined ? '' : `, ${subscriberId}`}`;
    return [{ id: _id, label, payload: payload ?? {}, subscriberId }];
  });
}
