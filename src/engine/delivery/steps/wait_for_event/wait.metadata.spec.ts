import fc from 'fast-check';
import { faultsOf } from '#libs/validation';
import { isMessageEvent, MESSAGE_EVENTS, signalName, waitMetadata } from './wait.metadata.js';

const PATH = 'steps.1.metadata';
const faults = (metadata: unknown): string[] => faultsOf(waitMetadata, metadata, PATH);
const wait = (more: object): object => ({ event: 'order.paid', amount: 10, unit: 'minutes', ...more });

describe('waitMetadata', () => {
  it.each<[string, object]>([
    ['a signal', wait({})],
    ['a signal with comparisons', wait({ match: [{ path: 'order.id', value: '{{order.id}}' }] })],
    ['every event of messages', wait({ event: 'message.read', step: 'tell' })],
    ['both ends', wait({ onMatch: 'stop', onTimeout: 'continue' })],
    ['null for what is absent', wait({ match: null, onMatch: null, onTimeout: null })],
    ['thirty days', wait({ amount: 30, unit: 'days' })],
    ['a name of other letters', wait({ event: 'замовлення.оплачено' })],
  ])('should accept %s', (_what, metadata) => expect(faults(metadata)).toEqual([]));

  it.each(MESSAGE_EVENTS)('should accept %s', (event) => {
    expect(isMessageEvent(event)).toBe(true);
    expect(faults(wait({ event }))).toEqual([]);
  });

  it.each<[string, unknown, RegExp]>([
    ['nothing', null, /needs event, amount and unit/],
    ['a list', [], /needs event, amount and unit/],
    ['no event', { amount: 1, unit: 'hours' }, /metadata\.event/],
    ['an event of messages that there is not', wait({ event: 'message.forwarded' }), /metadata\.event .*message\.read/],
    ['a name with blanks', wait({ event: 'order paid' }), /metadata\.event must be a name of letters/],
    ['a name that is too long', wait({ event: 'a'.repeat(101) }), /at most 100 characters/],
    ['no limit', { event: 'order.paid' }, /metadata\.amount/],
    ['more than thirty days', wait({ amount: 31, unit: 'days' }), /amount must be at most 30 days/],
    ['months', wait({ amount: 1, unit: 'months' }), /amount must be at most 30 days/],
    ['another end', wait({ onMatch: 'jump' }), /metadata\.onMatch/],
    ['six comparisons', wait({ match: Array(6).fill({ path: 'a', value: 'b' }) }), /at most 5 comparisons/],
    ['a comparison without a value', wait({ match: [{ path: 'a', value: '' }] }), /match\.0\.value must not be empty/],
    ['a comparison of messages', wait({ event: 'message.read', match: [] }), /match is for signals/],
    ['a step of a signal', wait({ step: 'tell' }), /step is for events of messages/],
  ])('should refuse %s', (_what, metadata, words) => expect(faults(metadata).join('; ')).toMatch(words));

  it('should not throw, whatever it gets', () => {
    fc.assert(
      fc.property(fc.anything(), (metadata) => expect(Array.isArray(faults(metadata))).toBe(true)),
      { seed: 20_261_125 },
    );
  });
});

describe('signalName', () => {
  it('should leave the names of Herald to Herald', () => {
    expect(signalName.safeParse('message.read').success).toBe(false);
    expect(signalName.safeParse('messages.read').success).toBe(true);
  });
});
