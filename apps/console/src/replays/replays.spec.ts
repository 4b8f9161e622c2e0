import { activityAddress, skippedWords } from './replay-words.js';

describe('words about a replay', () => {
  it('should name the reasons that occurred', () => {
    expect(skippedWords({ running: 1, nothingFailed: 0, uncertain: 1_200, eventGone: 0 })).toEqual([
      '1 were still running',
      '1,200 may already have been sent',
    ]);
  });

  it('should lead to the notifications of its filter', () => {
    expect(activityAddress({ filter: {} })).toBe('/activity');
    const filter = { channels: ['sms' as const], subscriberIds: ['a b'], transactionId: 't&1' };
    expect(activityAddress({ filter })).toBe('/activity?channel=sms&subscriber=a+b&transaction=t%261');
  });
});
