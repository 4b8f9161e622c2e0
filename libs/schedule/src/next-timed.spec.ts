import { nextTimed } from './next-timed.js';
import type { Ordinal, OrdinalValue, TimedDigestMetadata, TimedRule, TimedUnit } from './metadata.schema.js';

const BERLIN = 'Europe/Berlin';
const NEW_YORK = 'America/New_York';

function next(unit: TimedUnit, amount: number, timed: TimedRule, now: string, zone = 'UTC'): string {
  const metadata: TimedDigestMetadata = { type: 'timed', unit, amount, timed };
  return nextTimed(metadata, new Date(now), zone).toISOString().replace('.000Z', 'Z');
}

describe('nextTimed', () => {
  describe('when the unit is minutes or hours', () => {
    it.each<[TimedUnit, number, TimedRule, string, string]>([
      ['minutes', 15, {}, '2024-05-01T10:07:00Z', '2024-05-01T10:22:00Z'],
      ['hours', 2, {}, '2024-05-01T23:30:00Z', '2024-05-02T01:30:00Z'],
      ['minutes', 15, { atTime: '09:00' }, '2024-05-01T10:07:00Z', '2024-05-01T10:15:00Z'],
      ['hours', 4, { atTime: '09:00' }, '2024-05-01T13:00:00Z', '2024-05-01T17:00:00Z'],
      ['hours', 4, { atTime: '09:30' }, '2024-05-01T02:00:00Z', '2024-05-01T05:30:00Z'],
    ])('should be due each %s x %p with %j after %s at %s', (unit, amount, timed, now, due) => {
      expect(next(unit, amount, timed, now)).toBe(due);
    });
  });

  describe('when the unit is days', () => {
    it.each<[number, string, string, string, string]>([
      [1, '09:30', '2024-05-01T09:29:59Z', 'UTC', '2024-05-01T09:30:00Z'],
      [1, '09:30', '2024-05-01T09:30:00Z', 'UTC', '2024-05-02T09:30:00Z'],
      [3, '09:30', '2024-05-01T10:00:00Z', 'UTC', '2024-05-04T09:30:00Z'],
      [1, '23:59:59', '2024-02-28T23:59:59Z', 'UTC', '2024-02-29T23:59:59Z'],
      [1, '00:00', '2024-12-31T12:00:00Z', 'UTC', '2025-01-01T00:00:00Z'],
      [1, '09:00', '2024-05-01T08:00:00Z', BERLIN, '2024-05-02T07:00:00Z'],
      [1, '20:00', '2024-05-01T23:00:00Z', NEW_YORK, '2024-05-02T00:00:00Z'],
      // Across the changes of the clock, nine o'clock stays nine o'clock.
      [1, '09:00', '2024-03-30T09:00:00Z', BERLIN, '2024-03-31T07:00:00Z'],
      [1, '09:00', '2024-10-26T08:00:00Z', BERLIN, '2024-10-27T08:00:00Z'],
      [1, '09:00', '2024-03-09T15:00:00Z', NEW_YORK, '2024-03-10T13:00:00Z'],
      // A time that is skipped is due an hour later; one that comes twice is due once.
      [1, '02:30', '2024-03-30T12:00:00Z', BERLIN, '2024-03-31T01:30:00Z'],
      [1, '02:30', '2024-10-26T12:00:00Z', BERLIN, '2024-10-27T00:30:00Z'],
      [1, '02:30', '2024-10-27T01:10:00Z', BERLIN, '2024-10-28T01:30:00Z'],
      [1, '01:30', '2024-11-03T06:45:00Z', NEW_YORK, '2024-11-04T06:30:00Z'],
    ])('should be due every %p days at %s after %s in %s at %s', (amount, atTime, now, zone, due) => {
      expect(next('days', amount, { atTime }, now, zone)).toBe(due);
    });
  });

  describe('when the unit is weeks', () => {
    // 1 May 2024 is a Wednesday.
    it.each<[number, TimedRule['weekDays'], string, string]>([
      [1, ['wednesday'], '2024-05-01T08:00:00Z', '2024-05-01T09:00:00Z'],
      [1, ['wednesday'], '2024-05-01T10:00:00Z', '2024-05-08T09:00:00Z'],
      [1, ['monday', 'friday'], '2024-05-01T10:00:00Z', '2024-05-03T09:00:00Z'],
      [1, ['friday', 'monday'], '2024-05-03T10:00:00Z', '2024-05-06T09:00:00Z'],
      [1, ['sunday'], '2024-05-01T10:00:00Z', '2024-05-05T09:00:00Z'],
      [2, ['monday'], '2024-05-01T10:00:00Z', '2024-05-13T09:00:00Z'],
      [2, ['thursday'], '2024-05-01T10:00:00Z', '2024-05-02T09:00:00Z'],
      [1, ['monday'], '2024-12-31T10:00:00Z', '2025-01-06T09:00:00Z'],
    ])('should be due every %p weeks on %j after %s at %s', (amount, weekDays, now, due) => {
      expect(next('weeks', amount, { atTime: '09:00', weekDays }, now)).toBe(due);
    });

    it('should take the week of the zone, not of UTC', () => {
      // Sunday evening in New York is Monday in UTC.
      const timed: TimedRule = { atTime: '21:00', weekDays: ['sunday'] };
      expect(next('weeks', 1, timed, '2024-05-06T00:30:00Z', NEW_YORK)).toBe('2024-05-06T01:00:00Z');
    });
  });

  describe('when the unit is months and days are named', () => {
    it.each<[number, number[], string, string]>([
      [1, [15], '2024-05-01T10:00:00Z', '2024-05-15T09:00:00Z'],
      [1, [1, 15], '2024-05-15T09:00:00Z', '2024-06-01T09:00:00Z'],
      [1, [31], '2024-04-01T00:00:00Z', '2024-04-30T09:00:00Z'],
      [1, [31], '2024-02-01T00:00:00Z', '2024-02-29T09:00:00Z'],
      [1, [30], '2023-02-01T00:00:00Z', '2023-02-28T09:00:00Z'],
      [1, [31], '2024-01-31T10:00:00Z', '2024-02-29T09:00:00Z'],
      [1, [31, 5], '2024-04-30T10:00:00Z', '2024-05-05T09:00:00Z'],
      [3, [10], '2024-11-20T10:00:00Z', '2025-02-10T09:00:00Z'],
      [1, [30, 31], '2024-02-29T08:00:00Z', '2024-02-29T09:00:00Z'],
    ])('should be due every %p months on %j after %s at %s', (amount, monthDays, now, due) => {
      expect(next('months', amount, { atTime: '09:00', monthlyType: 'each', monthDays }, now)).toBe(due);
    });
  });

  describe('when the unit is months and an ordinal is named', () => {
    // May 2024 begins on a Wednesday and has 31 days; June 2024 begins on a Saturday.
    it.each<[Ordinal, OrdinalValue, string, string]>([
      ['1', 'day', '2024-05-02T00:00:00Z', '2024-06-01T09:00:00Z'],
      ['2', 'day', '2024-05-02T00:00:00Z', '2024-05-02T09:00:00Z'],
      ['last', 'day', '2024-02-01T00:00:00Z', '2024-02-29T09:00:00Z'],
      ['1', 'weekday', '2024-06-01T00:00:00Z', '2024-06-03T09:00:00Z'],
      ['3', 'weekday', '2024-05-01T00:00:00Z', '2024-05-03T09:00:00Z'],
      ['4', 'weekday', '2024-05-01T00:00:00Z', '2024-05-06T09:00:00Z'],
      ['last', 'weekday', '2024-06-01T00:00:00Z', '2024-06-28T09:00:00Z'],
      ['1', 'weekend', '2024-05-01T00:00:00Z', '2024-05-04T09:00:00Z'],
      ['last', 'weekend', '2024-06-01T00:00:00Z', '2024-06-30T09:00:00Z'],
      ['1', 'monday', '2024-05-01T00:00:00Z', '2024-05-06T09:00:00Z'],
      ['2', 'tuesday', '2024-05-01T00:00:00Z', '2024-05-14T09:00:00Z'],
      ['3', 'wednesday', '2024-05-01T00:00:00Z', '2024-05-15T09:00:00Z'],
      ['4', 'thursday', '2024-05-01T00:00:00Z', '2024-05-23T09:00:00Z'],
      ['5', 'friday', '2024-05-01T00:00:00Z', '2024-05-31T09:00:00Z'],
      ['5', 'monday', '2024-05-01T00:00:00Z', '2024-05-27T09:00:00Z'],
      ['last', 'saturday', '2024-05-01T00:00:00Z', '2024-05-25T09:00:00Z'],
      ['last', 'sunday', '2024-05-27T00:00:00Z', '2024-06-30T09:00:00Z'],
    ])('should be due on the %s %s after %s at %s', (ordinal, ordinalValue, now, due) => {
      expect(next('months', 1, { atTime: '09:00', monthlyType: 'on', ordinal, ordinalValue }, now)).toBe(due);
    });
  });

  describe('when the rule names no days', () => {
    it('should throw rather than wait for ever', () => {
      expect(() => next('weeks', 1, { atTime: '09:00', weekDays: [] }, '2024-05-01T10:00:00Z')).toThrow(RangeError);
    });
  });
});
