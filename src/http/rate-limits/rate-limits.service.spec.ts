import { bucketRules } from './bucket-rules.js';
import { SubscriberBuckets } from './rate-limits.service.js';

describe('SubscriberBuckets', () => {
  const takeUntilEmpty = (buckets: SubscriberBuckets, nowMs: number): number => {
    let taken = 0;
    while (buckets.take('ada', nowMs).allowed) taken++;
    return taken;
  };

  it('should allow a burst and then the rate, for each subscriber', () => {
    const buckets = new SubscriberBuckets(bucketRules(20));
    expect(takeUntilEmpty(buckets, 1_000)).toBe(110);
    expect(takeUntilEmpty(buckets, 2_000)).toBe(20);
    expect(takeUntilEmpty(buckets, 1_500)).toBe(0);
    // The clock was set back.
    expect(takeUntilEmpty(buckets, 2_000)).toBe(10);
    expect(buckets.take('bob', 2_000).allowed).toBe(true);
    expect(takeUntilEmpty(buckets, 1_000_000)).toBe(110);
  });
});
