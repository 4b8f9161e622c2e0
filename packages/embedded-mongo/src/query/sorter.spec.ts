import fc from 'fast-check';
import { Sorter } from './sorter.js';

const keyOf = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);

/** Adds as a search does, and takes the steps of the answer; `largest` is that of the longest step. */
function sort(values: number[], keep?: number): { found: number[]; largest: number } {
  const sorter = new Sorter<number>(keep);
  values.forEach((value, at) => {
    sorter.add(keyOf(value), at, 1);
    if (at % 64 === 63) expect([...sorter.prune()].length).toBeLessThan(values.length);
  });
  const steps = [...sorter.sorted()];
  return { found: steps.flat(), largest: Math.max(0, ...steps.map(({ length }) => length)) };
}

describe('Sorter', () => {
  const numbers = fc.array(fc.nat(500), { maxLength: 6000, size: 'max' });

  it('should give what a stable sort gives, in bounded steps, with and without a limit', () => {
    fc.assert(
      fc.property(numbers, fc.option(fc.integer({ min: 1, max: 3000 }), { nil: undefined }), (values, keep) => {
        const expected = values.map((_, at) => at).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0) || a - b);
        const { found, largest } = sort(values, keep);
        expect(found).toEqual(expected.slice(0, keep));
        expect(largest).toBeLessThanOrEqual(1024);
      }),
      { numRuns: 60, seed: 20_261_122 },
    );
  });

  it.each([1, 10, 1024, 5000])('should give the first %d of many that arrive in the opposite order', (keep) => {
    const values = Array.from({ length: 20_000 }, (_, at) => 20_000 - at);
    expect(sort(values, keep).found).toEqual(Array.from({ length: keep }, (_, at) => 19_999 - at));
  });

  it('should refuse what exceeds the memory limit', () => {
    const sorter = new Sorter<number>();
    sorter.add(keyOf(1), 1, 60 * 1024 * 1024);
    expect(() => sorter.add(keyOf(2), 2, 60 * 1024 * 1024)).toThrow('Sort exceeded memory limit');
  });
});
