import { ManualClock, SystemClock } from './clock.js';

describe('ManualClock', () => {
  it('should stand still until it is moved', () => {
    const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
    expect(clock.now()).toEqual(new Date('2026-01-01T00:00:00Z'));
    clock.advance(1_500);
    expect(clock.now()).toEqual(new Date('2026-01-01T00:00:01.500Z'));
  });

  it('should never go backwards', () => {
    const clock = new ManualClock(new Date('2026-01-02T00:00:00Z'));
    clock.moveTo(new Date('2026-01-01T00:00:00Z'));
    expect(clock.now()).toEqual(new Date('2026-01-02T00:00:00Z'));
    clock.moveTo(new Date('2026-01-03T00:00:00Z'));
    expect(clock.now()).toEqual(new Date('2026-01-03T00:00:00Z'));
  });

  it('should give dates that callers may change', () => {
    const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
    clock.now().setUTCFullYear(1999);
    expect(clock.now().getUTCFullYear()).toBe(2026);
  });
});

describe('SystemClock', () => {
  it('should tell the time of the machine', () => {
    const before = Date.now();
    const now = new SystemClock().now().getTime();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  });
});
