import { armOf } from './split-arm.js';

const PEOPLE = Array.from({ length: 20_000 }, (_, n) => `person-${n}`);
const arms = [
  { name: 'A', share: 70 },
  { name: 'B', share: 30 },
  { name: 'C', share: 0 },
];

describe('armOf', () => {
  const sharesOf = (split: string): Record<string, number> => {
    const counts: Record<string, number> = { A: 0, B: 0, C: 0 };
    for (const id of PEOPLE) {
      const arm = armOf({ arms }, split, id);
      counts[arm] = (counts[arm] ?? 0) + 1 / PEOPLE.length;
    }
    return counts;
  };

  it('should divide people by the shares, and always in the same way', () => {
    const { A = 0, C } = sharesOf('one');
    expect(Math.abs(A - 0.7)).toBeLessThan(0.01);
    expect(C).toBe(0);
    expect(PEOPLE.map((id) => armOf({ arms }, 'one', id))).toEqual(PEOPLE.map((id) => armOf({ arms }, 'one', id)));
  });

  it('should divide those of an arm anew in another split', () => {
    const inA = PEOPLE.filter((id) => armOf({ arms }, 'one', id) === 'A');
    const again = inA.filter((id) => armOf({ arms }, 'two', id) === 'A');
    expect(Math.abs(again.length / inA.length - 0.7)).toBeLessThan(0.015);
  });

  it('should leave who was in a growing first arm in it', () => {
    const grown = [
      { name: 'A', share: 80 },
      { name: 'B', share: 20 },
    ];
    for (const id of PEOPLE)
      if (armOf({ arms }, 'one', id) === 'A') expect(armOf({ arms: grown }, 'one', id)).toBe('A');
  });

  it('should send everybody into the arm that wins', () => {
    expect(new Set(PEOPLE.map((id) => armOf({ arms, winner: 'C' }, 'one', id)))).toEqual(new Set(['C']));
  });

  it('should have an arm for everybody where shares have no exact sum', () => {
    const thirds = ['A', 'B', 'C'].map((name) => ({ name, share: 33.333333 }));
    expect(new Set(PEOPLE.map((id) => armOf({ arms: thirds }, 'one', id)))).toEqual(new Set(['A', 'B', 'C']));
  });
});
