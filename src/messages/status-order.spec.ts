import type { MessageStatus } from './message.enums.js';
import { type ReportedStatus, statesBefore } from './status-order.js';

const after = (start: MessageStatus, reports: ReportedStatus[]): MessageStatus =>
  reports.reduce<MessageStatus>((state, report) => (statesBefore(report).includes(state) ? report : state), start);

describe('statesBefore', () => {
  it.each<[ReportedStatus[], MessageStatus]>([
    [['delivered', 'opened', 'clicked'], 'clicked'],
    [['clicked', 'opened', 'delivered'], 'clicked'],
    [['opened', 'opened', 'delivered'], 'opened'],
    [['delivered', 'bounced'], 'bounced'],
    [['bounced', 'opened'], 'bounced'],
    [['opened', 'complained', 'clicked'], 'complained'],
    [['delivered', 'error'], 'delivered'],
  ])('should take a sent message through %j to %s', (reports, state) => {
    expect(after('sent', reports)).toBe(state);
  });

  it.each<MessageStatus>(['error', 'warning'])('should leave a message alone that was not accepted: %s', (status) => {
    expect(after(status, ['delivered', 'opened', 'complained'])).toBe(status);
  });
});
