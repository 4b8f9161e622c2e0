import { countUpTo } from './count-up-to.js';

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
