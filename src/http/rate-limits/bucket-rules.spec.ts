import { bucketRules, resetSeconds, retryAfterSeconds } from './bucket-rules.js';

describe('bucketRules', () => {
  it('should allow a tenth more than the limit of the window at once', () => {
    expect(bucketRules(20)).toEqual({ perSecond: 20, limit: 100, burst: 110 });
  });
});

describe('resetSeconds', () => {
  it.each([
    [110, 0],
    [100, 1],
    [0, 6],
  ])('should be the time until %d tokens are a full bucket', (tokens, seconds) => {
    expect(resetSeconds(bucketRules(20), { tokens, allowed: true })).toBe(seconds);
  });
});

describe('retryAfterSeconds', () => {
  it.each([
    [0.5, 1, 1],
    [0, 100, 5],
  ])('should be the time until %d tokens have become %d', (tokens, cost, seconds) => {
    expect(retryAfterSeconds(bucketRules(20), { tokens, allowed: false }, cost)).toBe(seconds);
  });
});
