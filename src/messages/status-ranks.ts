import { MESSAGE_STATUSES, type MessageStatus } from './message.enums.js';

/**
 * How far each status is on the way of a message. A report moves a message only onwards, so that reports may come late,
 * twice and in any order: `delivered` does not undo `opened`, and a bounce that a server sends afterwards does undo
 * `delivered`.
 */
const RANK: Readonly<Record<MessageStatus, number>> = {
  pending: 0,
  warning: 1,
  sent: 2,
  error: 3,
  delivered: 4,
  bounced: 5,
  opened: 6,
  clicked: 7,
  complained: 8,
};

export function isFurther(status: MessageStatus, than: MessageStatus): boolean {
  return RANK[status] > RANK[than];
}

/** The statuses that a report of this one moves a message away from. */
export function statusesBefore(status: MessageStatus): MessageStatus[] {
  return MESSAGE_STATUSES.filter((other) => isFurther(status, other));
}
