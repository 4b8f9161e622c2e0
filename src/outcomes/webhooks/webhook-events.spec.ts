import type { MessageSummary } from '../../engine/messages/store/index.js';
import { subscriberEvents, failedEvents, reportedEventType, sentEvents } from './webhook-events.js';

const message = (fields: Partial<MessageSummary>): MessageSummary =>
  ({ seen: false, read: false, createdAt: new Date(1), updatedAt: new Date(2), ...fields }) as MessageSummary;

describe('subscriberEvents', () => {
  it('should find nothing where nothing was done', () => {
    expect(subscriberEvents(message({}))).toEqual([]);
  });

  it('should find what was seen, read and acted on, each with its own time', () => {
    const done = subscriberEvents(
      message({
        seen: true,
        read: true,
        lastSeenDate: new Date(10),
        lastReadDate: new Date(20),
        lastActionDate: new Date(30),
        action: { status: 'done', result: { type: 'primary' } },
      }),
    );
    expect(done).toEqual([
      { type: 'message.seen', at: new Date(10), key: '10' },
      { type: 'message.read', at: new Date(20), key: '20' },
      { type: 'message.action', at: new Date(30), key: '30' },
    ]);
  });

  it('should not tell of what was undone', () => {
    expect(subscriberEvents(message({ seen: false, lastSeenDate: new Date(10) }))).toEqual([]);
  });
});

describe('sentEvents', () => {
  it('should be one and the same however often it is told', () => {
    const keys = [1, 99].map((at) => sentEvents(message({ updatedAt: new Date(at) })).map(({ key }) => key));
    expect(keys[0]).toEqual(keys[1]);
  });
});

describe('failedEvents', () => {
  it('should be another one when the message fails again', () => {
    expect(failedEvents(message({}))).not.toEqual(failedEvents(message({ updatedAt: new Date(99) })));
  });
});

describe('reportedEventType', () => {
  it('should be the failure for what the provider refused, and none for what is on its way', () => {
    expect(reportedEventType('error')).toBe('message.failed');
    expect(reportedEventType('clicked')).toBe('message.clicked');
    expect(reportedEventType('sent')).toBeUndefined();
  });
});
