import {
  occurrenceWords,
  outcomeWord,
  recipientWords,
  ruleWords,
  statusWord,
  titleOf,
  zoneWords,
} from './schedule-words.js';

describe('the words of a schedule', () => {
  it.each([
    [undefined, 'Once'],
    [{ cron: '30 9 * * mon-fri' }, 'Cron 30 9 * * mon-fri'],
    [{ frequency: 'hourly' as const, minute: 5 }, 'Every hour, at minute 05'],
    [{ frequency: 'hourly' as const, interval: 6 }, 'Every 6 hours, at minute 00'],
    [{ frequency: 'daily' as const, hour: 9 }, 'Every day, at 09:00'],
    [
      { frequency: 'weekly' as const, interval: 2, days: ['monday' as const, 'friday' as const], hour: 9, minute: 30 },
      'Every 2 weeks on Monday, Friday, at 09:30',
    ],
    [{ frequency: 'monthly' as const, dayOfMonth: 31 }, 'Every month on day 31, at 00:00'],
  ])('should say when %j occurs', (rule, words) => {
    expect(ruleWords(rule)).toBe(words);
  });

  it('should show a time as the clocks of its zone do', () => {
    const at = '2099-01-05T08:30:00.000Z';
    expect(occurrenceWords({ at }, 'Europe/Berlin')).toBe('Mon, 5 Jan 2099, 09:30');
    expect(occurrenceWords({ at }, undefined)).toBe('Mon, 5 Jan 2099, 08:30');
    expect(occurrenceWords({ at, localTime: '2099-01-05T22:30:00' }, 'subscriber')).toBe('Mon, 5 Jan 2099, 22:30');
    expect([zoneWords(undefined), zoneWords('subscriber')]).toEqual(['UTC', 'in the zone of each subscriber']);
  });

  it('should say how it stands', () => {
    expect([statusWord({ status: 'active' }).label, statusWord({ status: 'ended' }).tone]).toEqual(['Active', 'idle']);
    const last = { at: '', transactionId: '' };
    expect(['processed', 'skipped', 'error'].map((status) => outcomeWord({ ...last, status }).tone)).toEqual([
      'good',
      'warn',
      'bad',
    ]);
    expect(titleOf({ workflow: 'report' })).toBe('report');
    expect(recipientWords({ subscribers: ['ada'], topics: ['team'] })).toBe('ada, topic team');
  });
});
