import { channelsIn, globalIn, ownSourceOf } from './preference-words.js';

describe('preferences', () => {
  const settings = {
    enabled: true,
    channels: { email: false, sms: true },
    overrides: [{ channel: 'email' as const, source: 'template' as const }],
  };

  it('have the channels of which there is a setting', () => {
    expect(channelsIn(settings)).toEqual(['email', 'sms']);
  });

  it('name who decided, if it was not the subscriber', () => {
    expect(ownSourceOf(settings, 'email')).toBe('workflow');
    expect(ownSourceOf(settings, 'sms')).toBeUndefined();
    expect(
      ownSourceOf({ ...settings, overrides: [{ channel: 'email', source: 'subscriber' }] }, 'email'),
    ).toBeUndefined();
  });

  it('are one for all workflows', () => {
    expect(globalIn([{ preference: settings }])).toBe(settings);
    expect(globalIn([])).toBeUndefined();
  });
});
