import { backoffMs, DEFAULT_POLICY, pause, retryAfterMs } from './retry.js';

describe('backoffMs', () => {
  it('should double with each attempt up to a limit, half of it at random', () => {
    const longest = [1, 2, 3, 20].map((attempt) => backoffMs(attempt, DEFAULT_POLICY, () => 1));
    expect(longest).toEqual([250, 500, 1_000, 8_000]);
    expect(backoffMs(2, DEFAULT_POLICY, () => 0)).toBe(250);
  });
});

describe('retryAfterMs', () => {
  const now = Date.parse('2026-01-01T12:00:00Z');

  it.each([
    ['3', 3_000],
    ['0', 0],
    ['Thu, 01 Jan 2026 12:00:05 GMT', 5_000],
    ['Thu, 01 Jan 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    ['', undefined],
    [null, undefined],
  ])('should read %j', (value, expected) => {
    expect(retryAfterMs(value, now)).toBe(expected);
  });
});

describe('pause', () => {
  it('should end with the reason of the signal', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    const paused = pause(60_000, controller.signal);
    controller.abort(reason);
    await expect(paused).rejects.toBe(reason);
    await expect(pause(60_000, controller.signal)).rejects.toBe(reason);
  });
});
