import { ManualClock, SystemClock, TestClock } from './clock.js';

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

describe('TestClock', () => {
  const ahead = (clock: TestClock): number => clock.now().getTime() - Date.now();

  it('should stand still while it is moved, and go on from there', () => {
    const clock = new TestClock();
    clock.stop();
    const start = clock.now();
    clock.moveTo(new Date(start.getTime() + 3_600_000));
    expect(clock.now().getTime() - start.getTime()).toBe(3_600_000);
    const offset = clock.goOn();
    expect(Math.abs(ahead(clock) - offset)).toBeLessThan(1_000);
    expect(Math.abs(offset - 3_600_000)).toBeLessThan(60_000);
  });

  it('should begin where another one was, and never go backwards', () => {
    const clock = new TestClock(60_000);
    expect(Math.abs(ahead(clock) - 60_000)).toBeLessThan(1_000);
    clock.stop();
    const before = clock.now();
    clock.moveTo(new Date(0));
    expect(clock.now()).toEqual(before);
  });
});
