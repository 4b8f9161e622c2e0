import { changedLimits, limitsIn, limitWords } from './agent-words.js';

const LIMITS = { callsPerMinute: 60, notifications: 5, people: 3, periodMinutes: 60, approvalAbove: 2, approvers: [] };

describe('words of the limits of agents', () => {
  it('are read from a form, without what is empty', () => {
    const form = new FormData();
    form.append('notifications', '5');
    form.append('people', '');
    form.append('approvers', ' ada,, grace ');
    expect(limitsIn(form, undefined)).toEqual({ notifications: 5, approvers: ['ada', 'grace'] });
    form.append('timezone', 'Europe/Berlin');
    const week = { monday: { isEnabled: true } };
    expect(limitsIn(form, week).sendWindow).toEqual({ timezone: 'Europe/Berlin', weeklySchedule: week });
  });

  it('are what a form says of a key that is there, and the defaults where it says nothing', () => {
    const form = new FormData();
    form.append('notifications', '0');
    form.append('people', '');
    expect(changedLimits(form, undefined)).toEqual({
      notifications: 0,
      people: null,
      periodMinutes: null,
      approvalAbove: null,
      callsPerMinute: null,
      approvers: null,
      sendWindow: null,
    });
  });

  it('say what a key may do, in one line', () => {
    expect(limitWords(LIMITS)).toBe('5 notifications to 3 people in an hour; asks above 2 at once');
    const sendWindow = { weeklySchedule: { monday: { isEnabled: true } } };
    expect(limitWords({ ...LIMITS, periodMinutes: 90, sendWindow })).toBe(
      '5 notifications to 3 people in 90 minutes; asks above 2 at once; in certain hours',
    );
  });
});
