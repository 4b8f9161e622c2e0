import { CALLBACK_STATUSES } from '#libs/channels';
import { DETAIL_STATUSES } from '../../engine/execution-details/index.js';
import { addressFaultOf, detailStatusOf, detailTextOf, eventKeyOf, messageStatusOf } from './callback-status.js';

describe('messageStatusOf', () => {
  it.each([
    ['delivered', 'delivered'],
    ['undelivered', 'bounced'],
    ['complaint', 'complained'],
    ['spam', 'complained'],
    ['blocked', 'error'],
    ['failed', 'error'],
    ['clicked', 'clicked'],
  ] as const)('should make of %s the status %s', (status, expected) => {
    expect(messageStatusOf(status)).toBe(expected);
  });

  it.each(['sent', 'queued', 'deferred', 'delayed', 'unsubscribed'] as const)(
    'should change nothing at %s',
    (status) => {
      expect(messageStatusOf(status)).toBeUndefined();
    },
  );
});

describe('detailStatusOf', () => {
  it('should know every status that providers report', () => {
    for (const status of CALLBACK_STATUSES) expect(DETAIL_STATUSES).toContain(detailStatusOf(status));
    expect(detailStatusOf('bounced')).toBe('Failed');
    expect(detailStatusOf('deferred')).toBe('Pending');
    expect(detailStatusOf('accepted')).toBe('Queued');
  });
});

describe('detailTextOf', () => {
  it("should show the provider's words and the status", () => {
    expect(detailTextOf({ response: '550 no such user', status: 'bounced' })).toBe('550 no such user - (bounced)');
  });

  it('should not be without words where the provider is', () => {
    expect(detailTextOf({ status: 'opened' })).toBe('opened - (opened)');
  });

  it('should cut what is too long to keep', () => {
    expect(detailTextOf({ response: 'x'.repeat(5_000), status: 'bounced' })).toHaveLength(1_012);
  });
});

describe('addressFaultOf', () => {
  const event = { messageIdentifier: 'm', response: '550' };

  it('should find fault with the address after a hard bounce and after a complaint', () => {
    expect(addressFaultOf({ ...event, status: 'bounced', hardBounce: true })).toBe('550');
    expect(addressFaultOf({ ...event, status: 'spam' })).toContain('spam');
  });

  it('should find none after a soft bounce', () => {
    expect(addressFaultOf({ ...event, status: 'bounced' })).toBeUndefined();
  });
});

describe('eventKeyOf', () => {
  const event = { messageIdentifier: 'm', status: 'opened' as const, at: new Date(5) };

  it('should be the same for the same event and another one for an event at another time', () => {
    expect(eventKeyOf(event)).toBe(eventKeyOf({ ...event, at: new Date(5) }));
    expect(eventKeyOf(event)).not.toBe(eventKeyOf({ ...event, at: new Date(6) }));
    expect(eventKeyOf(event)).not.toBe(eventKeyOf({ ...event, status: 'clicked' }));
  });
});
