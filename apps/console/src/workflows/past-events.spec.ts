import type { Schemas } from '../api/client.js';
import { pastEvents } from './past-events.js';

const notification = (_id: string, payload: object, more: object = {}): Schemas['NotificationResponse'] =>
  ({
    _id,
    payload,
    createdAt: _id,
    subscriber: { subscriberId: 'pia' },
    ...more,
  }) as object as Schemas['NotificationResponse'];

describe('pastEvents', () => {
  it('should offer each payload once, with whom it was for, and no tests', () => {
    const events = pastEvents(
      [
        notification('3', { a: 1 }),
        notification('2', { a: 1 }),
        notification('1', { a: 2 }, { subscriber: undefined }),
        notification('0', { a: 3 }, { isTest: true }),
      ],
      (at) => `at ${at}`,
    );
    expect(events).toEqual([
      { id: '3', label: 'at 3, pia', payload: { a: 1 }, subscriberId: 'pia' },
      { id: '1', label: 'at 1', payload: { a: 2 }, subscriberId: undefined },
    ]);
  });
});
