import { faultsOf } from '#libs/validation';
import { EARLIEST_ZONE, localTimeOf, nextOccurrences, type Occurrences } from './recurrence.js';
import { hasZone, momentOf } from './local-time.js';
import { moment, type Recurrence, recurrence } from './recurrence.schema.js';

const START = new Date('2026-01-01T00:00:00Z');

function occurrences(rule: Recurrence | undefined, more: Partial<Occurrences>, after: string, count: number): string[] {
  const of = { zone: 'UTC', startAt: START, ...(rule && { rule }), ...more };
  return nextOccurrences(of, new Date(after), count).map((at) => at.toISOString().replace('.000Z', 'Z'));
}

const NEW_YORK = { zone: 'America/New_York' };

describe('nextOccurrences', () => {
  it('should be once without a rule', () => {
    const startAt = new Date('2026-03-01T09:00:00Z');
    expect(occurrences(undefined, { startAt }, '2026-02-01T00:00:00Z', 3)).toEqual(['2026-03-01T09:00:00Z']);
    expect(occurrences(undefined, { startAt }, '2026-03-01T09:00:00Z', 3)).toEqual([]);
  });

  it.each<[string, Recurrence]>([
    [
      'a rule',
      { frequency: 'weekly', days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'], hour: 9, minute: 30 },
    ],
    ['cron', { cron: '30 9 * * mon-fri' }],
  ])('should keep the time of day through changes of the clock, by %s', (_by, rule) => {
    expect(occurrences(rule, NEW_YORK, '2026-03-05T20:00:00Z', 3)).toEqual([
      '2026-03-06T14:30:00Z',
      '2026-03-09T13:30:00Z',
      '2026-03-10T13:30:00Z',
    ]);
    expect(occurrences(rule, NEW_YORK, '2026-10-29T20:00:00Z', 2)).toEqual([
      '2026-10-30T13:30:00Z',
      '2026-11-02T14:30:00Z',
    ]);
  });

  // New York skips 02:00 to 03:00 on 8 March 2026, and has 01:00 to 02:00 twice on 1 November.
  it.each<[string, Recurrence, Recurrence]>([
    ['a rule', { frequency: 'daily', hour: 2, minute: 30 }, { frequency: 'daily', hour: 1, minute: 30 }],
    ['cron', { cron: '30 2 * * *' }, { cron: '30 1 * * *' }],
  ])('should occur once on days on which the clock is changed, by %s', (_by, skipped, doubled) => {
    expect(occurrences(skipped, NEW_YORK, '2026-03-07T12:00:00Z', 2)).toEqual([
      '2026-03-08T07:30:00Z',
      '2026-03-09T06:30:00Z',
    ]);
    expect(occurrences(doubled, NEW_YORK, '2026-10-31T12:00:00Z', 2)).toEqual([
      '2026-11-01T05:30:00Z',
      '2026-11-02T06:30:00Z',
    ]);
  });

  it('should count hours as they pass', () => {
    expect(occurrences({ frequency: 'hourly', interval: 6, minute: 15 }, NEW_YORK, '2026-03-08T00:00:00Z', 3)).toEqual([
      '2026-03-08T00:15:00Z',
      '2026-03-08T06:15:00Z',
      '2026-03-08T12:15:00Z',
    ]);
    expect(occurrences({ cron: '*/30 * * * *' }, NEW_YORK, '2026-11-01T05:10:00Z', 4)).toEqual([
      '2026-11-01T05:30:00Z',
      '2026-11-01T06:00:00Z',
      '2026-11-01T06:30:00Z',
      '2026-11-01T07:00:00Z',
    ]);
  });

  it('should count intervals from the start', () => {
    const startAt = new Date('2026-01-07T00:00:00Z');
    const everyOther: Recurrence = { frequency: 'weekly', interval: 2, days: ['monday', 'friday'], hour: 8 };
    expect(occurrences(everyOther, { startAt }, '2026-01-01T00:00:00Z', 4)).toEqual([
      '2026-01-09T08:00:00Z',
      '2026-01-19T08:00:00Z',
      '2026-01-23T08:00:00Z',
      '2026-02-02T08:00:00Z',
    ]);
    expect(occurrences({ frequency: 'daily', interval: 10 }, { startAt }, '2026-03-01T00:00:00Z', 2)).toEqual([
      '2026-03-08T00:00:00Z',
      '2026-03-18T00:00:00Z',
    ]);
  });

  it('should use the last day of months that are too short', () => {
    const rule: Recurrence = { frequency: 'monthly', dayOfMonth: 31, hour: 9 };
    expect(occurrences(rule, {}, '2026-01-15T00:00:00Z', 4)).toEqual([
      '2026-01-31T09:00:00Z',
      '2026-02-28T09:00:00Z',
      '2026-03-31T09:00:00Z',
      '2026-04-30T09:00:00Z',
    ]);
  });

  it('should not occur before the start or after the end, which count', () => {
    const window = { startAt: new Date('2026-02-02T09:00:00Z'), endAt: new Date('2026-02-04T09:00:00Z') };
    expect(occurrences({ frequency: 'daily', hour: 9 }, window, '2026-01-01T00:00:00Z', 9)).toEqual([
      '2026-02-02T09:00:00Z',
      '2026-02-03T09:00:00Z',
      '2026-02-04T09:00:00Z',
    ]);
    const short = { ...window, endAt: new Date('2026-02-04T08:59:59.999Z') };
    expect(occurrences({ frequency: 'daily', hour: 9 }, short, '2026-01-01T00:00:00Z', 9)).toHaveLength(2);
  });

  it('should take no long time for rare rules', () => {
    const before = process.cpuUsage();
    expect(occurrences({ cron: '0 0 29 2 *' }, NEW_YORK, '2026-03-01T00:00:00Z', 10)).toHaveLength(10);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(50);
  });
});

describe('times without a zone', () => {
  it.each([
    ['Asia/Tokyo', '2026-03-08T00:00:00.000Z'],
    ['America/New_York', '2026-03-08T13:00:00.000Z'],
    ['Pacific/Kiritimati', '2026-03-07T19:00:00.000Z'],
  ])('should come in %s at their time of day', (zone, expected) => {
    const [at = START] = nextOccurrences(
      { rule: { cron: '0 9 8 3 *' }, zone: EARLIEST_ZONE, startAt: START },
      START,
      1,
    );
    expect(localTimeOf(at)).toBe('2026-03-08T09:00:00');
    expect(momentOf(localTimeOf(at), zone).toISOString()).toBe(expected);
  });
});

describe('recurrence', () => {
  it.each([
    [{ frequency: 'hourly', interval: 2, minute: 5 }],
    [{ frequency: 'monthly', dayOfMonth: 31, hour: 9, minute: 0 }],
    [{ cron: '*/15 8-18 * * mon-fri' }],
    [{ cron: '0 9 1 * *', frequency: null }],
  ])('should accept %j', (sent) => {
    expect(faultsOf(recurrence, sent, 'rule')).toEqual([]);
  });

  it.each([
    [{}, 'rule must have either frequency or cron'],
    [{ frequency: 'daily', cron: '0 9 * * *' }, 'rule must have either frequency or cron'],
    [{ frequency: 'yearly' }, 'rule.frequency must be one of hourly, daily, weekly, monthly'],
    [{ frequency: 'daily', days: ['monday'] }, 'rule.days must not be given with daily'],
    [{ frequency: 'hourly', hour: 9 }, 'rule.hour must not be given with hourly'],
    [{ frequency: 'daily', hour: 24 }, 'rule.hour must be a whole number from 0 to 23'],
    [{ cron: '0 9 * * *', minute: 5 }, 'rule.minute must not be given with cron'],
  ])('should refuse %j', (sent, fault) => {
    expect(faultsOf(recurrence, sent, 'rule')).toContain(fault);
  });

  it.each(['', '0 9 * *', '0 0 9 * * *', 'H 9 * * *', '0 9 31 2 *', '61 * * * *', '@daily'])(
    'should refuse the cron %j',
    (cron) => {
      expect(faultsOf(recurrence, { cron }, 'rule').join()).toContain('rule.cron must be five fields of cron');
    },
  );
});

describe('moments that are sent', () => {
  it.each([
    ['2099-01-31T09:00:00Z', '2099-01-31T09:00:00.000Z'],
    ['2099-01-31T09:00+02:00', '2099-01-31T07:00:00.000Z'],
    ['2099-01-31T09:00:00', '2099-01-31T14:00:00.000Z'],
    ['2099-01-31', '2099-01-31T05:00:00.000Z'],
  ])('should be meant in the zone unless they name one: %s', (sent, expected) => {
    expect(faultsOf(moment, sent, 'startAt')).toEqual([]);
    expect(momentOf(sent, NEW_YORK.zone).toISOString()).toBe(expected);
    expect(hasZone(sent)).toBe(/Z|\+/.test(sent));
  });

  it.each([
    'soon',
    '',
    '2099',
    '2099-W05-1',
    '2099-02-31',
    '2099-01-31T25:00:00Z',
    '+275760-09-13',
    '2099-01-31 09:00',
    5,
  ])('should not be %j', (sent) => {
    expect(faultsOf(moment, sent, 'startAt').join()).toContain('startAt must be a date and time');
  });
});
