import fc from 'fast-check';
import { faultsOf } from '#libs/validation';
import { zoneOf } from './calendar.js';
import { backoffWindowStart, delayDueAt, digestDueAt, InvalidDelayError } from './due-at.js';
import {
  ORDINALS,
  ORDINAL_VALUES,
  TIMED_UNITS,
  TIME_UNITS,
  type DelayMetadata,
  type DigestMetadata,
} from './metadata.schema.js';
import { digestMetadata } from '../../../src/engine/delivery/digest/digest.declaration.js';
import { WEEK_DAYS } from './week-days.js';

/** The same cases in every run; another number looks at others. */
fc.configureGlobal({ seed: 20_261_120 });

const NOW = new Date('2024-05-01T10:00:00Z');
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia', 'Australia/Lord_Howe'];

describe('digestDueAt', () => {
  describe('when the digest is regular or backoff', () => {
    it.each<[DigestMetadata, string]>([
      [{ type: 'regular', amount: 5, unit: 'minutes' }, '2024-05-01T10:05:00Z'],
      [{ type: 'regular', amount: 2, unit: 'weeks' }, '2024-05-15T10:00:00Z'],
      [{ type: 'regular', amount: 1, unit: 'months' }, '2024-06-01T10:00:00Z'],
      [{ type: 'backoff', amount: 1, unit: 'hours', backoffAmount: 5, backoffUnit: 'minutes' }, '2024-05-01T11:00:00Z'],
    ])('should end the window of %j at %s', (metadata, due) => {
      expect(digestDueAt(metadata, NOW)).toEqual(new Date(due));
    });
  });

  describe('when the trigger overrides amount and unit', () => {
    const override = { amount: 30, unit: 'seconds' } as const;

    it('should replace those of a regular digest', () => {
      expect(digestDueAt({ type: 'regular', amount: 1, unit: 'days' }, NOW, 'UTC', override)).toEqual(
        new Date('2024-05-01T10:00:30Z'),
      );
    });

    it('should leave backoff and timed digests alone', () => {
      const timed: DigestMetadata = { type: 'timed', amount: 1, unit: 'days', timed: { atTime: '12:00' } };
      expect(digestDueAt(timed, NOW, 'UTC', override)).toEqual(new Date('2024-05-01T12:00:00Z'));
      const backoff: DigestMetadata = { type: 'backoff', amount: 1, unit: 'hours' };
      expect(digestDueAt(backoff, NOW, 'UTC', override)).toEqual(new Date('2024-05-01T11:00:00Z'));
    });
  });

  describe('when metadata is anything that validation accepts', () => {
    const span = { amount: fc.integer({ min: 1, max: 100 }) };
    const timed = fc.record({
      atTime: fc
        .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
        .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':')),
      weekDays: fc.uniqueArray(fc.constantFrom(...WEEK_DAYS), { minLength: 1 }),
      monthDays: fc.uniqueArray(fc.integer({ min: 1, max: 31 }), { minLength: 1 }),
      monthlyType: fc.constantFrom('each', 'on'),
      ordinal: fc.constantFrom(...ORDINALS),
      ordinalValue: fc.constantFrom(...ORDINAL_VALUES),
    });
    const metadata: fc.Arbitrary<DigestMetadata> = fc.oneof(
      fc.record({ ...span, type: fc.constant('regular'), unit: fc.constantFrom(...TIME_UNITS) }),
      fc.record({ ...span, type: fc.constant('timed'), unit: fc.constantFrom(...TIMED_UNITS), timed }),
    );
    const instant = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });

    it('should always be due after now', () => {
      fc.assert(
        fc.property(metadata, instant, fc.constantFrom(...ZONES), (digest, now, zone) => {
          expect(faultsOf(digestMetadata, digest, 'metadata')).toEqual([]);
          expect(digestDueAt(digest, now, zone).getTime()).toBeGreaterThan(now.getTime());
        }),
        { numRuns: 500 },
      );
    });
  });
});

describe('zoneOf', () => {
  it.each([
    [undefined, 'Asia/Tokyo', 'UTC'],
    ['Europe/Berlin', 'Asia/Tokyo', 'Europe/Berlin'],
    ['subscriber', 'Asia/Tokyo', 'Asia/Tokyo'],
    ['subscriber', undefined, 'UTC'],
    ['subscriber', 'Mars/Olympus', 'UTC'],
    ['Mars/Olympus', 'Asia/Tokyo', 'UTC'],
  ])('should take for the time zone %s and the subscriber in %s the zone %s', (timezone, ofSubscriber, zone) => {
    expect(zoneOf({ ...(timezone !== undefined && { timezone }) }, ofSubscriber)).toBe(zone);
  });
});

describe('when the clock is changed', () => {
  const daily = (atTime: string): DigestMetadata => ({ type: 'timed', amount: 1, unit: 'days', timed: { atTime } });
  const weekly = (atTime: string): DigestMetadata => ({
    type: 'timed',
    amount: 1,
    unit: 'weeks',
    timed: { atTime, weekDays: ['sunday'] },
  });
  const monthly = (atTime: string): DigestMetadata => ({
    type: 'timed',
    amount: 1,
    unit: 'months',
    timed: { atTime, monthlyType: 'on', ordinal: 'last', ordinalValue: 'sunday' },
  });

  it.each<[string, DigestMetadata, string, string]>([
    // Berlin: +1 to +2 on 28 March 2027 at 2:00, back on 31 October at 3:00.
    ['Europe/Berlin', daily('09:00'), '2027-03-27T09:00:00Z', '2027-03-28T07:00:00Z'],
    ['Europe/Berlin', daily('02:30'), '2027-03-27T09:00:00Z', '2027-03-28T01:30:00Z'],
    ['Europe/Berlin', daily('02:30'), '2027-03-28T02:00:00Z', '2027-03-29T00:30:00Z'],
    ['Europe/Berlin', daily('09:00'), '2027-10-30T08:00:00Z', '2027-10-31T08:00:00Z'],
    ['Europe/Berlin', daily('02:30'), '2027-10-30T08:00:00Z', '2027-10-31T00:30:00Z'],
    // The first 2:30 has passed: the second one is the same time of the same day.
    ['Europe/Berlin', daily('02:30'), '2027-10-31T00:30:00Z', '2027-11-01T01:30:00Z'],
    ['Europe/Berlin', weekly('09:00'), '2027-03-26T09:00:00Z', '2027-03-28T07:00:00Z'],
    ['Europe/Berlin', monthly('09:00'), '2027-10-01T09:00:00Z', '2027-10-31T08:00:00Z'],
    // New York: -5 to -4 on 14 March 2027, back on 7 November.
    ['America/New_York', daily('09:00'), '2027-03-13T15:00:00Z', '2027-03-14T13:00:00Z'],
    ['America/New_York', daily('09:00'), '2027-11-06T14:00:00Z', '2027-11-07T14:00:00Z'],
    // Lord Howe Island: half an hour, +11 to +10:30 on 4 April 2027, back on 3 October.
    ['Australia/Lord_Howe', daily('09:00'), '2027-04-02T23:00:00Z', '2027-04-03T22:30:00Z'],
    ['Australia/Lord_Howe', daily('09:00'), '2027-10-01T23:00:00Z', '2027-10-02T22:00:00Z'],
    // Kathmandu has no changes.
    ['Asia/Kathmandu', daily('09:00'), '2027-03-27T09:00:00Z', '2027-03-28T03:15:00Z'],
  ])('should end a timed digest in %s, %j, from %s at %s', (zone, metadata, now, due) => {
    expect(digestDueAt(metadata, new Date(now), zone)).toEqual(new Date(due));
  });

  it.each<[string, DelayMetadata, string, string]>([
    ['Europe/Berlin', { type: 'regular', amount: 1, unit: 'days' }, '2027-03-27T09:00:00Z', '2027-03-28T08:00:00Z'],
    ['Europe/Berlin', { type: 'regular', amount: 1, unit: 'days' }, '2027-10-30T08:00:00Z', '2027-10-31T09:00:00Z'],
    ['Europe/Berlin', { type: 'regular', amount: 24, unit: 'hours' }, '2027-03-27T09:00:00Z', '2027-03-28T09:00:00Z'],
    ['America/New_York', { type: 'regular', amount: 1, unit: 'weeks' }, '2027-03-10T14:00:00Z', '2027-03-17T13:00:00Z'],
    [
      'Australia/Sydney',
      { type: 'regular', amount: 1, unit: 'months' },
      '2027-03-15T22:00:00Z',
      '2027-04-15T23:00:00Z',
    ],
  ])('should end a delay in %s, %j, from %s at %s', (zone, metadata, now, due) => {
    expect(delayDueAt(metadata, {}, new Date(now), zone)).toEqual(new Date(due));
  });
});

describe('delayDueAt', () => {
  const scheduled: DelayMetadata = { type: 'scheduled', delayPath: 'order.sendAt' };

  describe('when the delay is regular', () => {
    it('should add its span, or the override', () => {
      const metadata: DelayMetadata = { type: 'regular', amount: 1, unit: 'months' };
      expect(delayDueAt(metadata, {}, NOW)).toEqual(new Date('2024-06-01T10:00:00Z'));
      expect(delayDueAt(metadata, {}, NOW, 'UTC', { amount: 1, unit: 'days' })).toEqual(
        new Date('2024-05-02T10:00:00Z'),
      );
    });
  });

  describe('when the delay is scheduled', () => {
    it.each([
      ['2024-05-02T10:00:00.000Z', 'UTC', '2024-05-02T10:00:00Z'],
      ['2024-05-02T10:00:00+02:00', 'UTC', '2024-05-02T08:00:00Z'],
      ['2024-05-02T10:00:00', 'Europe/Berlin', '2024-05-02T08:00:00Z'],
      ['2024-05-02', 'America/New_York', '2024-05-02T04:00:00Z'],
    ])('should read %s in %s as %s', (sendAt, zone, due) => {
      expect(delayDueAt(scheduled, { order: { sendAt } }, NOW, zone)).toEqual(new Date(due));
    });

    it('should ignore an override', () => {
      const payload = { 'order.sendAt': '2024-05-02T10:00:00Z' };
      expect(delayDueAt(scheduled, payload, NOW, 'UTC', { amount: 1, unit: 'seconds' })).toEqual(
        new Date('2024-05-02T10:00:00Z'),
      );
    });

    it.each([
      ['missing', {}],
      ['missing', null],
      ['missing', { order: { sendAt: '' } }],
      ['missing', { order: null }],
      ['unparsable', { order: { sendAt: 'tomorrow' } }],
      ['unparsable', { order: { sendAt: '2024-02-30T00:00:00Z' } }],
      ['unparsable', { order: { sendAt: 1714644000000 } }],
      ['past', { order: { sendAt: '2024-05-01T09:59:59Z' } }],
      ['past', { order: { sendAt: '2024-05-01T10:00:00Z' } }],
    ])('should throw an InvalidDelayError with the reason %s for %j', (reason, payload) => {
      const act = (): Date => delayDueAt(scheduled, payload, NOW);
      expect(act).toThrow(InvalidDelayError);
      expect(act).toThrow(expect.objectContaining({ reason }) as Error);
    });
  });
});

describe('backoffWindowStart', () => {
  describe('when a digest looks back', () => {
    it.each<[string, DigestMetadata, string | undefined]>([
      [
        'backoff',
        { type: 'backoff', amount: 1, unit: 'hours', backoffAmount: 5, backoffUnit: 'minutes' },
        '2024-05-01T09:55:00Z',
      ],
      [
        'regular with backoff',
        { type: 'regular', amount: 1, unit: 'hours', backoff: true, backoffAmount: 1, backoffUnit: 'months' },
        '2024-04-01T10:00:00Z',
      ],
      [
        'regular without',
        { type: 'regular', amount: 1, unit: 'hours', backoffAmount: 5, backoffUnit: 'minutes' },
        undefined,
      ],
    ])('should answer the start of the window of %s', (_, metadata, start) => {
      expect(backoffWindowStart(metadata, NOW)).toEqual(start === undefined ? undefined : new Date(start));
    });
  });
});
