import type { MessageStatus } from './message.enums.js';

/** What a provider's callback can say of a message that it has accepted. */
export type ReportedStatus = Extract<
  MessageStatus,
  'delivered' | 'bounced' | 'opened' | 'clicked' | 'complained' | 'error'
>;

const ACCEPTED = ['pending', 'sent'] as const;
const BEFORE: Record<ReportedStatus, readonly MessageStatus[]> = {
  error: ACCEPTED,
  delivered: ACCEPTED,
  bounced: [...ACCEPTED, 'delivered'],
  opened: [...ACCEPTED, 'delivered'],
  clicked: [...ACCEPTED, 'delivered', 'opened'],
  complained: [...ACCEPTED, 'delivered', 'opened', 'clicked'],
};

/** The states that a callback may move a message out of: callbacks come late and in any order, and never move it back. */
export function statesBefore(status: ReportedStatus): readonly MessageStatus[] {
  return BEFORE[status];
}
