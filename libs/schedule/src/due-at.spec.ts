import fc from 'fast-check';
import { faultsOf } from '#libs/validation';
import { backoffWindowStart, delayDueAt, digestDueAt, InvalidDelayError } from './due-at.js';
import {
  ORDINALS,
  ORDINAL_VALUES,
  TIMED_UNITS,
  TIME_UNITS,
  WEEK_DAYS,
  type DelayMetadata,
  type DigestMetadata,
  digestMetadata,
} from './metadata.schema.js';

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
