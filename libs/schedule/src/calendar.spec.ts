import { addUnits } from './local-time.js';
import type { TimeUnit } from './metadata.schema.js';

const BERLIN = 'Europe/Berlin';
const NEW_YORK = 'America/New_York';

type Row = [from: string, amount: number, unit: TimeUnit, zone: string, to: string];

describe('addUnits', () => {
  describe('when a span is added', () => {
    it.each<Row>([
      ['2024-05-01T10:00:00Z', 30, 'seconds', 'UTC', '2024-05-01T10:00:30Z'],
      ['2024-05-01T10:00:00Z', 90, 'minutes', 'UTC', '2024-05-01T11:30:00Z'],
      ['2024-05-01T23:00:00Z', 2, 'hours', 'UTC', '2024-05-02T01:00:00Z'],
      ['2024-05-01T10:00:00Z', 0.5, 'hours', 'UTC', '2024-05-01T10:30:00Z'],
      ['2024-05-01T10:00:00Z', 1, 'days', 'UTC', '2024-05-02T10:00:00Z'],
      ['2024-05-01T10:00:00Z', 1.5, 'days', 'UTC', '2024-05-02T22:00:00Z'],
      ['2024-12-30T10:00:00Z', 1, 'weeks', 'UTC', '2025-01-06T10:00:00Z'],
      ['2024-05-01T10:00:00Z', 2, 'weeks', 'UTC', '2024-05-15T10:00:00Z'],
      ['2024-05-15T10:00:00Z', -1, 'months', 'UTC', '2024-04-15T10:00:00Z'],
    ])('should turn %s plus %p %s in %s into %s', (from, amount, unit, zone, to) => {
      expect(addUnits(new Date(from), amount, unit, zone)).toEqual(new Date(to));
    });
  });

  describe('when a month ends early', () => {
    it.each<Row>([
      ['2024-01-31T10:00:00Z', 1, 'months', 'UTC', '2024-02-29T10:00:00Z'],
      ['2023-01-31T10:00:00Z', 1, 'months', 'UTC', '2023-02-28T10:00:00Z'],
      ['2024-03-31T10:00:00Z', 1, 'months', 'UTC', '2024-04-30T10:00:00Z'],
      ['2024-02-29T10:00:00Z', 12, 'months', 'UTC', '2025-02-28T10:00:00Z'],
      ['2024-01-31T23:30:00Z', 1, 'months', BERLIN, '2024-02-29T23:30:00Z'],
    ])('should turn %s plus %p %s in %s into %s', (from, amount, unit, zone, to) => {
      expect(addUnits(new Date(from), amount, unit, zone)).toEqual(new Date(to));
    });
  });

  describe('when the clock is changed in between', () => {
    it.each<Row>([
      // Berlin goes from +1 to +2 on 31 March 2024, and back on 27 October.
      ['2024-03-30T09:00:00Z', 1, 'days', BERLIN, '2024-03-31T08:00:00Z'],
      ['2024-03-30T09:00:00Z', 24, 'hours', BERLIN, '2024-03-31T09:00:00Z'],
      ['2024-03-25T09:00:00Z', 1, 'weeks', BERLIN, '2024-04-01T08:00:00Z'],
      ['2024-10-26T08:00:00Z', 1, 'days', BERLIN, '2024-10-27T09:00:00Z'],
      ['2024-10-01T08:00:00Z', 1, 'months', BERLIN, '2024-11-01T09:00:00Z'],
      // New York goes from -5 to -4 on 10 March 2024, and back on 3 November.
      ['2024-03-09T14:00:00Z', 1, 'days', NEW_YORK, '2024-03-10T13:00:00Z'],
      ['2024-11-02T13:00:00Z', 1, 'days', NEW_YORK, '2024-11-03T14:00:00Z'],
      // 02:30 does not exist on 31 March in Berlin: it becomes 03:30.
      ['2024-03-30T01:30:00Z', 1, 'days', BERLIN, '2024-03-31T01:30:00Z'],
    ])('should turn %s plus %p %s in %s into %s', (from, amount, unit, zone, to) => {
      expect(addUnits(new Date(from), amount, unit, zone)).toEqual(new Date(to));
    });
  });

  describe('when the zone does not exist', () => {
    it('should throw a RangeError that names it', () => {
      expect(() => addUnits(new Date(), 1, 'days', 'Mars/Olympus')).toThrow(/Mars\/Olympus/);
    });
  });
});
