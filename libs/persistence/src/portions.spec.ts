import { bySize } from './portions.js';

describe('bySize', () => {
  const sizes = (records: readonly number[]): number[][] => bySize(records, (size) => size);

  it('should keep together what is small', () => {
    expect(sizes([])).toEqual([]);
    expect(sizes([1, 2, 3])).toEqual([[1, 2, 3]]);
    expect(sizes([400_000, 600_000, 1])).toEqual([[400_000, 600_000], [1]]);
  });

  it('should write alone what is large, in the order of the records', () => {
    expect(sizes([1, 5_000_000, 2, 3, 999_999])).toEqual([[1], [5_000_000], [2, 3], [999_999]]);
  });
});
