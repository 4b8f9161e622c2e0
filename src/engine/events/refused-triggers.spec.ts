import { PerSecond } from './refused-triggers.js';

const at = (ms: number): Date => new Date(ms);

describe('PerSecond', () => {
  it('should let a number of each key through in each second', () => {
    const gate = new PerSecond(2);
    const taken = [0, 10, 999, 1_000].map((ms) => gate.take('a', at(ms)));
    expect(taken).toEqual([true, true, false, true]);
    expect(gate.take('b', at(999))).toBe(true);
  });
});
