import {
  channelDecision,
  effectivePreference,
  globalPreference,
  type PreferenceSources,
  switchesBetween,
} from './effective-preference.js';

const both: PreferenceSources = { workflowChannels: ['email', 'in_app', 'digest'] };

describe('effectivePreference', () => {
  it('should be on for every channel of the workflow where nobody has said anything', () => {
    expect(effectivePreference(both)).toEqual({
      enabled: true,
      channels: { in_app: true, email: true },
      overrides: [],
    });
  });

  it('should show only channels that the workflow uses', () => {
    const { channels, overrides } = effectivePreference({
      workflowChannels: ['sms'],
      workflow: { email: false, sms: true },
      subscriber: { channels: { push: false } },
    });
    expect(channels).toEqual({ sms: true });
    expect(overrides).toEqual([{ channel: 'sms', source: 'template' }]);
  });

  it.each([
    ['the workflow', {}, false, 'template'],
    ['the override after the workflow', { override: { email: true } }, true, 'workflowOverride'],
    ['the subscriber after the workflow', { subscriber: { channels: { email: true } } }, true, 'subscriber'],
    [
      'the subscriber after the override',
      { override: { email: true }, subscriber: { channels: { email: false } } },
      false,
      'subscriber',
    ],
    [
      'the override where the subscriber speaks of another channel',
      { override: { email: true }, subscriber: { channels: { in_app: false } } },
      true,
      'workflowOverride',
    ],
  ] as const)('should listen to %s', (_case, sources, expected, source) => {
    const result = effectivePreference({ ...both, workflow: { email: false }, ...sources });
    expect(result.channels.email).toBe(expected);
    expect(result.overrides).toContainEqual({ channel: 'email', source });
  });

  it('should switch the whole workflow only for the subscriber', () => {
    expect(effectivePreference({ ...both, subscriber: { enabled: false } })).toMatchObject({
      enabled: false,
      channels: { email: true, in_app: true },
    });
  });
});

describe('globalPreference', () => {
  it('should name every channel', () => {
    expect(globalPreference({ channels: { sms: false } })).toEqual({
      enabled: true,
      channels: { in_app: true, email: true, sms: false, chat: true, push: true },
    });
  });
});

describe('channelDecision', () => {
  const global = 'subscriberGlobal';
  const workflow = 'subscriber';
  it.each([
    ['nothing was said', {}, undefined],
    ['the subscriber wants nothing at all', { global: { enabled: false } }, global],
    ['the subscriber wants no mail at all', { global: { channels: { email: false } } }, global],
    ['the subscriber wants no text messages', { global: { channels: { sms: false } } }, undefined],
    ['the subscriber does not want this workflow', { subscriber: { enabled: false } }, workflow],
    ['the workflow has mail off', { workflow: { email: false } }, 'template'],
    ['the override has mail off', { override: { email: false } }, 'workflowOverride'],
    ['both have it off', { override: { email: false }, subscriber: { channels: { email: false } } }, workflow],
    [
      'the subscriber has turned mail on again',
      { workflow: { email: false }, subscriber: { channels: { email: true } } },
      undefined,
    ],
    ['both forbid it: the global one is named', { global: { enabled: false }, subscriber: { enabled: false } }, global],
    ['the workflow is critical', { critical: true, global: { enabled: false }, workflow: { email: false } }, undefined],
  ] as const)('should be decided when %s', (_case, asked, source) => {
    const decision = channelDecision('email', { critical: false, ...both, ...asked });
    expect(decision).toMatchObject(source === undefined ? { allowed: true } : { allowed: false, source });
  });
});

describe('switchesBetween', () => {
  const both = { email: true, sms: true };

  it('should name the channels that were switched', () => {
    const after = { enabled: true, channels: { email: false, sms: true } };
    expect(switchesBetween({ enabled: true, channels: both }, after)).toEqual([{ channel: 'email', enabled: false }]);
    expect(switchesBetween(after, { enabled: true, channels: both })).toEqual([{ channel: 'email', enabled: true }]);
  });

  it('should name every channel where everything is switched at once', () => {
    expect(switchesBetween({ enabled: true, channels: both }, { enabled: false, channels: both })).toEqual([
      { channel: 'email', enabled: false },
      { channel: 'sms', enabled: false },
    ]);
  });

  it('should name none where nothing changes for the reader', () => {
    const off = { enabled: false, channels: { email: true } };
    expect(switchesBetween(off, { enabled: false, channels: { email: false } })).toEqual([]);
    expect(switchesBetween({ enabled: true, channels: {} }, { enabled: true, channels: { push: true } })).toEqual([]);
  });

  it('should name a channel that was on without having been set', () => {
    expect(switchesBetween({ enabled: true, channels: {} }, { enabled: true, channels: { push: false } })).toEqual([
      { channel: 'push', enabled: false },
    ]);
  });
});
