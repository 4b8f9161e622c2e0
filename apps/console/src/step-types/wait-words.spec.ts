import { delayWords, digestWords, eventWaitWords, sendingWords, throttleWords } from './wait-words.js';

describe('delayWords', () => {
  it.each([
    [{ type: 'regular', amount: 2, unit: 'days' }, 'Waits 2 days'],
    [{ type: 'regular', amount: 1, unit: 'hours' }, 'Waits 1 hour'],
    [{ type: 'scheduled', delayPath: 'appointment.remindAt' }, 'Waits until the date in payload.appointment.remindAt'],
    [{}, 'Waits an unspecified time'],
  ] as const)('of %j', (metadata, words) => {
    expect(delayWords(metadata)).toBe(words);
  });
});

describe('digestWords', () => {
  it.each([
    [{ type: 'regular', amount: 10, unit: 'minutes' }, 'Collects events for 10 minutes after the first one'],
    [
      { type: 'regular', amount: 1, unit: 'hours', digestKey: 'order.id' },
      'Collects events for 1 hour after the first one, separately for each payload.order.id',
    ],
    [
      { type: 'backoff', amount: 10, unit: 'minutes', backoffAmount: 1, backoffUnit: 'minutes' },
      'Passes an event on immediately, unless another one came within the previous 1 minute; then collects for 10 minutes',
    ],
    [
      { type: 'timed', amount: 1, unit: 'days', timed: { atTime: '09:00' } },
      'Collects events until the next time: every day at 09:00 UTC',
    ],
    [
      { type: 'timed', amount: 1, unit: 'days', timezone: 'Asia/Tokyo', timed: { atTime: '09:00' } },
      'Collects events until the next time: every day at 09:00 in Asia/Tokyo',
    ],
    [
      { type: 'timed', amount: 1, unit: 'days', timezone: 'subscriber', timed: { atTime: '09:00' } },
      "Collects events until the next time: every day at 09:00 in the subscriber's time zone",
    ],
    [
      { type: 'timed', amount: 2, unit: 'weeks', timed: { atTime: '09:00', weekDays: ['monday', 'friday'] } },
      'Collects events until the next time: every 2 weeks on Monday, Friday at 09:00 UTC',
    ],
    [
      { type: 'timed', amount: 1, unit: 'months', timed: { monthlyType: 'each', monthDays: [1, 15], atTime: '08:30' } },
      'Collects events until the next time: every month on day 1, 15 at 08:30 UTC',
    ],
    [
      {
        type: 'timed',
        amount: 1,
        unit: 'months',
        timed: { monthlyType: 'on', ordinal: 'last', ordinalValue: 'weekday', atTime: '08:30' },
      },
      'Collects events until the next time: every month on the last weekday at 08:30 UTC',
    ],
    [{ type: 'timed', amount: 5, unit: 'minutes' }, 'Collects events until the next time: every 5 minutes'],
  ] as const)('of %j', (metadata, words) => {
    expect(digestWords(metadata as Parameters<typeof digestWords>[0])).toBe(words);
  });
});

describe('sendingWords', () => {
  const sendWindow = { weeklySchedule: { monday: { isEnabled: true } } };
  it.each([
    [{}, undefined],
    [{ extendToSchedule: true }, "Ends within the subscriber's delivery hours"],
    [{ outsideSchedule: 'wait', sendWindow }, "Waits for the subscriber's delivery hours; Waits for its send window"],
    [{ outsideSchedule: 'skip' }, "Is skipped outside the subscriber's delivery hours"],
  ] as const)('of %j', (metadata, words) => {
    expect(sendingWords(metadata)).toBe(words);
  });
});

describe('throttleWords', () => {
  it.each([
    [{ amount: 1, unit: 'hours' }, 'Lets 1 event through in 1 hour; further ones end here'],
    [
      { type: 'fixed', amount: 2, unit: 'days', threshold: 3, throttleKey: 'project.id' },
      'Lets 3 events through in 2 days, separately for each project.id; further ones end here',
    ],
    [
      { type: 'dynamic', dynamicKey: 'payload.mutedUntil' },
      'Lets 1 event through until the end in payload.mutedUntil; further ones end here',
    ],
  ] as const)('of %j', (metadata, words) => {
    expect(throttleWords(metadata)).toBe(words);
  });
});

describe('eventWaitWords', () => {
  it.each<[Parameters<typeof eventWaitWords>[0], string]>([
    [
      { event: 'message.read', amount: 10, unit: 'minutes', onMatch: 'stop', onTimeout: 'continue' },
      'Waits 10 minutes at most for a message to be read; ends here if it comes, and goes on if not',
    ],
    [
      { event: 'message.bounced', amount: 1, unit: 'hours', step: 'mail' },
      'Waits 1 hour at most for the message of mail to be bounced; goes on if it comes, and ends here if not',
    ],
    [
      { event: 'message.seen', amount: 1, unit: 'hours', step: 'e560c123-5d17-492a-81c7-78bc5f5d0bb9' },
      'Waits 1 hour at most for the message of an earlier step to be seen; goes on if it comes, and ends here if not',
    ],
    [
      { event: 'order.paid', amount: 2, unit: 'days', match: [{ path: 'order.id', value: '{{id}}' }] },
      'Waits 2 days at most for the signal order.paid with order.id = {{id}}; goes on if it comes, and ends here if not',
    ],
  ])('of %j', (metadata, words) => {
    expect(eventWaitWords(metadata)).toBe(words);
  });
});
