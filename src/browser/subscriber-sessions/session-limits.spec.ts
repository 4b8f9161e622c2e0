import { ManualClock } from '#libs/common';
import { AppConfig } from '#libs/config';
import { SessionLimits } from './session-limits.js';

describe('SessionLimits', () => {
  it('should begin anew after a minute, and when the clock was set back', () => {
    const clock = new ManualClock();
    const limits = new SessionLimits(clock, AppConfig.from({ SESSION_LIMIT_PER_ADDRESS: '1' }));
    const admit = (): void => limits.admit('203.0.113.7');
    admit();
    expect(admit).toThrow('sessions');
    clock.advance(60_000);
    expect(admit).not.toThrow();
    clock.advance(-3_600_000);
    expect(admit).not.toThrow();
  });
});
