import { draftOf, localOf, sentOf, timingOf } from './schedule-draft.js';
import type { Schedule } from './schedule-words.js';

const STORED = {
  _id: '64f0c1a2b3c4d5e6f7a8b9c0',
  _organizationId: '64f0c1a2b3c4d5e6f7a8b9c1',
  _environmentId: '64f0c1a2b3c4d5e6f7a8b9c2',
  createdAt: '2026-11-25T12:00:00.000Z',
  updatedAt: '2026-11-25T12:00:00.000Z',
  workflow: 'weekly-report',
  subscribers: ['ada', 'bob'],
  topics: [],
  payload: { team: 'Sales' },
  rule: { frequency: 'weekly', interval: 2, days: ['monday'], hour: 9, minute: 30 },
  timezone: 'Europe/Berlin',
  startAt: '2099-01-01T07:00:12.000Z',
  missed: 'skip',
  status: 'active',
} as unknown as Schedule;

describe('the draft of a schedule', () => {
  it('should be sent as it was, where nothing was changed', () => {
    const { workflow, subscribers, topics, payload, rule, timezone, startAt, missed } = STORED;
    expect(sentOf(draftOf(STORED), STORED)).toEqual({
      workflow,
      subscribers,
      topics,
      payload,
      rule,
      timezone,
      startAt,
      missed,
      endAt: null,
      name: null,
      tenant: null,
      actor: null,
    });
  });

  it('should have times in the zone of the schedule', () => {
    const draft = draftOf(STORED);
    expect(draft.startAt).toBe('2099-01-01T08:00');
    expect(timingOf({ ...draft, timezone: 'Asia/Tokyo' }, STORED).startAt).toBe('2099-01-01T08:00');
    expect(localOf('2099-01-01T19:00:00Z', 'subscriber')).toBe('2099-01-02T09:00');
  });

  it.each([
    ['once', null],
    ['hourly', { frequency: 'hourly', interval: 2, minute: 5 }],
    ['monthly', { frequency: 'monthly', interval: 2, hour: 7, minute: 15, dayOfMonth: 31 }],
    ['cron', { cron: '0 9 * * *' }],
  ] as const)('should have the fields of a rule that occurs %s', (kind, rule) => {
    const fields = { interval: '2', minute: '5', time: '07:15', dayOfMonth: '31', cron: ' 0 9 * * * ' };
    expect(timingOf({ ...draftOf(undefined, 'report'), ...fields, kind }).rule).toEqual(rule);
  });

  it('should leave a single time of each subscriber as it is stored', () => {
    const once = { ...STORED, rule: undefined, timezone: 'subscriber' } as unknown as Schedule;
    expect(sentOf(draftOf(once), once)).not.toHaveProperty('startAt');
    expect(sentOf({ ...draftOf(once), startAt: '2099-02-01T09:00' }, once).startAt).toBe('2099-02-01T09:00');
  });
});
