import { switchesBetween } from './preference-switches.js';

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
