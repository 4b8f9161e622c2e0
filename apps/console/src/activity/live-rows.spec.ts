import { updateInPlace } from './live-rows.js';

const row = (second: number, status = 'active') => ({
  _id: `n${second}`,
  createdAt: `2026-02-01T12:00:${String(second).padStart(2, '0')}.000Z`,
  status,
});
const shown = (...seconds: number[]) => seconds.map((second) => ({ row: row(second), isGone: false }));

describe('updateInPlace', () => {
  it('should change rows in place and count the new ones without showing them', () => {
    const { rows, waiting } = updateInPlace(shown(3, 2), [row(5), row(4), row(3, 'failed'), row(2)], true);
    expect(rows.map(({ row: { _id, status } }) => `${_id} ${status}`)).toEqual(['n3 failed', 'n2 active']);
    expect(waiting).toBe(2);
  });

  it('should keep a row that does not match any more, and say so', () => {
    const { rows } = updateInPlace(shown(3, 2, 1), [row(3), row(1)], true);
    expect(rows.map(({ isGone }) => isGone)).toEqual([false, true, false]);
  });

  it('should not take a row that new ones pushed to the next page for gone', () => {
    const { rows } = updateInPlace(shown(3, 2), [row(5), row(4)], true);
    expect(rows.map(({ isGone }) => isGone)).toEqual([false, false]);
  });

  it('should take every missing row for gone where there is only one page', () => {
    const { rows } = updateInPlace(shown(3, 2), [], false);
    expect(rows.map(({ isGone }) => isGone)).toEqual([true, true]);
  });

  it('should bring a row back that matches again', () => {
    const gone = [{ row: row(3), isGone: true }];
    expect(updateInPlace(gone, [row(3)], false).rows).toEqual([{ row: row(3), isGone: false }]);
  });
});
