import { faultsOf } from '#libs/validation';
import { throttleMetadata, type ThrottleMetadata } from './throttle.metadata.js';
import { InvalidWindowError, keyOfThrottle, throttleWindowEnd } from './throttle-window.js';

const NOW = new Date('2026-03-28T12:00:00Z');

describe('throttleMetadata', () => {
  it.each<[string, object]>([
    ['amount and unit', { amount: 1, unit: 'hours' }],
    ['everything', { type: 'fixed', amount: 90, unit: 'minutes', threshold: 1_000, throttleKey: 'tenant.id' }],
    ['a quarter of an hour', { amount: 0.25, unit: 'hours' }],
    ['an empty key', { amount: 1, unit: 'days', throttleKey: '' }],
    ['a dynamic window', { type: 'dynamic', dynamicKey: 'payload.mutedUntil', threshold: 2 }],
  ])('should accept %s', (_case, metadata) => {
    expect(faultsOf(throttleMetadata, metadata, 'm')).toEqual([]);
  });

  it.each<[string, unknown, string[]]>([
    ['nothing', undefined, ['m must be an object: a throttle step needs amount and unit']],
    ['no window', {}, ['m.amount must be a number greater than 0', 'm.unit must be one of minutes, hours, days']],
    ['seconds', { amount: 90, unit: 'seconds' }, ['m.unit must be one of minutes, hours, days, weeks, months']],
    ['half a minute', { amount: 0.5, unit: 'minutes' }, ['m.amount must be at least one minute']],
    ['half a second', { amount: 0.0001, unit: 'hours' }, ['m.amount must be at least one minute']],
    ['no threshold', { amount: 1, unit: 'hours', threshold: 0 }, ['m.threshold must be a whole number from 1 to 1000']],
    ['a large one', { amount: 1, unit: 'hours', threshold: 1_001 }, ['m.threshold must be a whole number']],
    ['half of one', { amount: 1, unit: 'hours', threshold: 1.5 }, ['m.threshold must be a whole number']],
    ['a template as key', { amount: 1, unit: 'hours', throttleKey: '{{id}}' }, ['m.throttleKey must be a path']],
    ['no key of a dynamic window', { type: 'dynamic' }, ['m.dynamicKey must be a path in the payload']],
    ['another type', { type: 'regular', amount: 1, unit: 'hours' }, ['m.type must be one of fixed, dynamic']],
  ])('should refuse %s', (_case, metadata, expected) => {
    const faults = faultsOf(throttleMetadata, metadata, 'm');
    expect(faults).toHaveLength(expected.length);
    for (const [at, text] of expected.entries()) expect(faults[at]).toContain(text);
  });
});

describe('throttleWindowEnd', () => {
  const end = (metadata: object, payload: unknown = {}, zone?: string): string =>
    throttleWindowEnd(metadata as ThrottleMetadata, { payload, tenant: undefined }, NOW, zone).toISOString();

  it.each([
    [{ amount: 90, unit: 'minutes' }, undefined, '2026-03-28T13:30:00.000Z'],
    [{ type: 'fixed', amount: 1, unit: 'days' }, undefined, '2026-03-29T12:00:00.000Z'],
    // The clock goes on by an hour that night: the day is one of the calendar.
    [{ amount: 1, unit: 'days' }, 'Europe/Berlin', '2026-03-29T11:00:00.000Z'],
  ])('should count %j in %s', (metadata, zone, expected) => {
    expect(end(metadata, {}, zone)).toBe(expected);
  });

  const dynamic = { type: 'dynamic', dynamicKey: 'payload.mute' };

  it.each([
    [{ mute: '2026-03-28T15:00:00Z' }, '2026-03-28T15:00:00.000Z'],
    [{ mute: '2026-03-28T15:00:00' }, '2026-03-28T14:00:00.000Z'],
    [{ mute: { amount: 2, unit: 'hours' } }, '2026-03-28T14:00:00.000Z'],
  ])('should take the end from %j', (payload, expected) => {
    expect(end(dynamic, payload, 'Europe/Berlin')).toBe(expected);
  });

  it.each([
    [{}, 'no value at "payload.mute"'],
    [{ mute: 'soon' }, 'not an ISO 8601 date'],
    [{ mute: '2026-03-28T11:59:59Z' }, 'not in the future'],
    [{ mute: 5 }, 'neither an ISO 8601 date nor an object'],
    [{ mute: { amount: -1, unit: 'hours' } }, 'neither an ISO 8601 date nor an object'],
    [{ mute: { amount: 1, unit: 'seconds' } }, 'neither an ISO 8601 date nor an object'],
  ])('should say what is wrong with %j', (payload, words) => {
    expect(() => end(dynamic, payload)).toThrow(InvalidWindowError);
    expect(() => end(dynamic, payload)).toThrow(words);
  });
});

describe('keyOfThrottle', () => {
  const key = (throttleKey: string | undefined): string | null =>
    keyOfThrottle(
      { amount: 1, unit: 'hours', ...(throttleKey !== undefined && { throttleKey }) },
      {
        payload: { id: 5, other: { id: '5' } },
        tenant: { identifier: 'acme' },
      },
    );

  it('should tell values of all kinds and sources apart', () => {
    expect([undefined, '', 'id', 'payload.id', 'other.id', 'tenant.identifier'].map(key)).toEqual([
      null,
      null,
      '5',
      '5',
      '"5"',
      '"acme"',
    ]);
  });

  it('should say that the value is missing', () => {
    expect(() => key('none.id')).toThrow(
      'The payload has no value at "none.id", which is the throttleKey of the step.',
    );
  });
});
