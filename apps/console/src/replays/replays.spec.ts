import { activityAddress, outcomeWord, skippedWords } from './replay-words.js';

describe('words about a replay', () => {
  it('should name the reasons that occurred', () => {
    expect(skippedWords({ running: 1, nothingFailed: 0, uncertain: 1_200, eventGone: 0 })).toEqual([
      '1 were still running',
      '1,200 may already have been sent',
    ]);
  });

  it('should tell what was replayed and what has failed, and only be green if nothing has', () => {
    const done = { status: 'completed' as const, replayed: 25 };
    const failed = (count: number): { count: number; hasMore: boolean } => ({ count, hasMore: false });
    expect(outcomeWord(done, failed(25))).toEqual({ tone: 'warn', label: 'Completed: 25 replayed, 25 failed now' });
    expect(outcomeWord(done, failed(0))).toEqual({ tone: 'good', label: 'Completed: 25 replayed, none failed' });
    expect(outcomeWord(done, undefined).tone).not.toBe('good');
  });

  it('should lead to the notifications of its filter', () => {
    expect(activityAddress({ filter: {} })).toBe('/activity');
    const filter = { channels: ['sms' as const], subscriberIds: ['a b'], transactionId: 't&1' };
    expect(activityAddress({ filter })).toBe('/activity?channel=sms&subscriber=a+b&transaction=t%261');
  });
});
