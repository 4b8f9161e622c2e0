import {
  channelOverrides,
  chosenIntegration,
  chosenLayout,
  delayOverride,
  overridesOf,
  providerOverrides,
} from './overrides.js';

describe('overrides of a trigger', () => {
  const overrides = {
    email: { subject: 'A', from: 'a@example.com', integrationIdentifier: 'second' },
    sendgrid: { from: 'b@example.com' },
    delay: { amount: 1, unit: 'hours' },
    layoutIdentifier: 'plain',
  };

  it('should let what is said of the provider win', () => {
    expect(channelOverrides(overrides, 'email', 'sendgrid')).toMatchObject({ subject: 'A', from: 'b@example.com' });
    expect(channelOverrides(overrides, 'email', 'mailgun')).toMatchObject({ from: 'a@example.com' });
    expect(channelOverrides(overrides, 'sms', 'twilio')).toEqual({});
  });

  it('should keep from providers what the channel itself reads, and leave them what is theirs', () => {
    const given = {
      push: { title: 'A', content: 'B', sound: 'x' },
      fcm: { title: 'C' },
      chat: { title: 'D', content: 'E' },
    };
    expect(providerOverrides(given, 'push', 'expo')).toEqual({ sound: 'x' });
    expect(providerOverrides(given, 'push', 'fcm')).toEqual({ sound: 'x', title: 'C' });
    expect(providerOverrides(given, 'chat', 'grafana-on-call')).toEqual({ title: 'D' });
  });

  it('should merge what is said in both forms, at every depth', () => {
    const given = {
      fcm: { android: { ttl: '60s', notification: { sound: 'a' } }, data: { tags: ['a', 'b'] } },
      providers: {
        fcm: { android: { notification: { color: '#fff' } }, data: { tags: ['c'] }, topic: null },
        sms: null,
      },
      steps: { push: { providers: { fcm: { android: { ttl: '5s' } } } } },
    };
    const step = { id: '1', uuid: '2', stepId: 'push' };
    const task = { run: { event: { overrides: given } }, step } as unknown as Parameters<typeof overridesOf>[0];
    expect(overridesOf(task)['fcm']).toEqual({
      android: { ttl: '5s', notification: { sound: 'a', color: '#fff' } },
      data: { tags: ['c'] },
      topic: null,
    });
  });

  it('should find delay, layout and integration', () => {
    expect(delayOverride(overrides)).toEqual({ amount: 1, unit: 'hours' });
    expect(chosenLayout(overrides)).toBe('plain');
    expect(chosenLayout({ email: { layoutIdentifier: 'other' } })).toBe('other');
    expect(chosenLayout({ layoutIdentifier: null, email: { layoutIdentifier: 'other' } })).toBe('other');
    expect(chosenLayout({ layoutIdentifier: 'plain', email: { layoutId: 'own' } })).toBe('own');
    expect(chosenLayout({ layoutIdentifier: 'plain', email: { layoutId: null } })).toBeNull();
    expect(chosenIntegration(overrides, 'email')).toBe('second');
    expect(chosenIntegration(overrides, 'sms')).toBeUndefined();
  });

  it('should not take inherited names for overrides', () => {
    expect(channelOverrides({}, 'constructor')).toEqual({});
    expect(delayOverride({})).toBeUndefined();
  });
});
