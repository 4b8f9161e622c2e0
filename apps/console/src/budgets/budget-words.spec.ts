import { bodyIn, channelWords, limitWords, overWords } from './budget-words.js';

const formOf = (fields: Record<string, string | string[]>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) form.append(name, one);
  return form;
};

describe('words of budgets', () => {
  it('should say what is counted, how much and what follows', () => {
    expect(channelWords({ channels: [] })).toBe('Email, SMS, push and chat together');
    expect(channelWords({ channels: ['sms', 'in_app'] })).toBe('SMS, In-app');
    expect(limitWords({ max: 5, window: 'day' })).toBe('5 a day');
    expect(limitWords({ max: 2, window: 'rolling', amount: 1, unit: 'hours' })).toBe('2 in any hour');
    expect(limitWords({ max: 2, window: 'rolling', amount: 3, unit: 'days' })).toBe('2 in any 3 days');
    expect(overWords({ over: 'drop' })).toBe('Not sent');
    expect(overWords({ over: 'hold', digestWorkflow: 'daily' })).toBe('One digest, by daily');
  });
});

describe('bodyIn', () => {
  it('should leave out what does not apply', () => {
    const rest = { amount: '2', unit: 'hours', digestWorkflow: 'daily' };
    const form = formOf({ name: ' few ', max: '3', window: 'day', over: 'drop', channels: ['in_app', 'sms'], ...rest });
    expect(bodyIn(form)).toEqual({
      ...{ name: 'few', channels: ['sms', 'in_app'], max: 3, window: 'day', over: 'drop', active: false },
    });
    const whole = formOf({ name: 'few', max: '3', window: 'rolling', over: 'hold', active: 'on', ...rest });
    expect(bodyIn(whole)).toEqual({
      ...{ name: 'few', channels: [], max: 3, window: 'rolling', amount: 2, unit: 'hours' },
      ...{ over: 'hold', digestWorkflow: 'daily', active: true },
    });
  });
});
