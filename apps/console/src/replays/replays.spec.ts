import { countUpTo } from './count-up-to.js';
import { activityAddress, skippedWords } from './replay-words.js';

const SIZE = 100;

/** A list of so many rows, which counts the pages that are asked for. */
function listOf(rows: number) {
  const asked: number[] = [];
  const load = (page: number) => {
    asked.push(page);
    const data = Array.from({ length: Math.max(0, Math.min(SIZE, rows - page * SIZE)) });
    return Promise.resolve({ data, hasMore: rows > (page + 1) * SIZE });
  };
  return { asked, load };
}

describe('countUpTo', () => {
  it.each([0, 1, 99, 100, 101, 250, 900, 901, 999, 1_000])('should count %i rows', async (rows) => {
    const { load, asked } = listOf(rows);
    expect(await countUpTo(10, SIZE, load)).toEqual({ count: rows, hasMore: false });
    expect(asked.length).toBeLessThanOrEqual(6);
  });

  it('should say that there are more, after two pages', async () => {
    const { load, asked } = listOf(250_000);
    expect(await countUpTo(10, SIZE, load)).toEqual({ count: 1_000, hasMore: true });
    expect(asked).toEqual([0, 9]);
  });
});

describe('words about a replay', () => {
  it('should name the reasons that occurred', () => {
    expect(skippedWords({ running: 1, nothingFailed: 0, uncertain: 1_200, eventGone: 0 })).toEqual([
      '1 had not ended',
      '1,200 may have been sent',
    ]);
  });

  it('should lead to the notifications of its filter', () => {
    expect(activityAddress({ filter: {} })).toBe('/');
    const filter = { channels: ['sms' as const], subscriberIds: ['a b'], transactionId: 't&1' };
    expect(activityAddress({ filter })).toBe('/?channel=sms&subscriber=a+b&transaction=t%261');
  });
});
