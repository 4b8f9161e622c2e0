import fc from 'fast-check';
import {
  among,
  NO_RANKING,
  type Ranking,
  standingOf,
  withActivated,
  withConditions,
  withCreated,
  without,
  withPrimary,
} from './integration-rankings.js';

/** The same cases in every run; another number looks at others. */
fc.configureGlobal({ seed: 20_261_120 });

const led = (...order: string[]): Ranking => ({ order, hasPrimary: true });
const leaderless = (...order: string[]): Ranking => ({ order, hasPrimary: false });

describe('withCreated', () => {
  it('should make the first one primary', () => {
    expect(withCreated(NO_RANKING, 'a', false)).toEqual(led('a'));
  });
  it('should put a further one directly below the primary one', () => {
    expect(withCreated(led('p', 'x'), 'a', false)).toEqual(led('p', 'a', 'x'));
  });
  it('should make it primary above others of which none is', () => {
    expect(withCreated(leaderless('x'), 'a', false)).toEqual(led('a', 'x'));
  });
  it('should not make one with conditions primary', () => {
    expect(withCreated(leaderless('x'), 'a', true)).toEqual(leaderless('a', 'x'));
  });
});

describe('withActivated', () => {
  it('should not make the only one primary', () => {
    expect(withActivated(NO_RANKING, 'a')).toEqual(leaderless('a'));
  });
  it('should put it on top where none is primary', () => {
    expect(withActivated(leaderless('x'), 'a')).toEqual(leaderless('a', 'x'));
  });
  it('should put it below the primary one', () => {
    expect(withActivated(led('p', 'x'), 'a')).toEqual(led('p', 'a', 'x'));
  });
});

describe('without', () => {
  it('should close the gap', () => {
    expect(without(led('a', 'b', 'c'), 'b')).toEqual(led('a', 'c'));
  });
  it('should promote nobody when the primary one goes', () => {
    expect(without(led('a', 'b'), 'a')).toEqual(leaderless('b'));
  });
});

describe('withPrimary', () => {
  it('should put it on top and keep the order of the others', () => {
    expect(withPrimary(led('a', 'b', 'c'), 'c')).toEqual(led('c', 'a', 'b'));
  });
});

describe('withConditions', () => {
  it('should take the primary mark and leave the place', () => {
    expect(withConditions(led('a', 'b'), 'a')).toEqual(leaderless('a', 'b'));
  });
  it('should leave another one primary', () => {
    expect(withConditions(led('a', 'b'), 'b')).toEqual(led('a', 'b'));
  });
});

describe('among', () => {
  it('should drop what is not active and append what is not ranked', () => {
    expect(among(led('gone', 'a'), ['b', 'a'])).toEqual(leaderless('a', 'b'));
  });
});

describe('standingOf', () => {
  it('should count down from the top', () => {
    expect(['a', 'b', 'c', 'x'].map((id) => standingOf(led('a', 'b', 'c'), id))).toEqual([
      { primary: true, priority: 3 },
      { primary: false, priority: 2 },
      { primary: false, priority: 1 },
      { primary: false, priority: 0 },
    ]);
  });
});

describe('any sequence of changes', () => {
  it('should keep one place for each and at most one primary, which is on top', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const change = fc.oneof(
      fc.tuple(id, fc.boolean()).map(
        ([of, conditions]) =>
          (ranking: Ranking) =>
            withCreated(ranking, of, conditions),
      ),
      id.map((of) => (ranking: Ranking) => withActivated(ranking, of)),
      id.map((of) => (ranking: Ranking) => without(ranking, of)),
      id.map((of) => (ranking: Ranking) => withPrimary(ranking, of)),
      id.map((of) => (ranking: Ranking) => withConditions(ranking, of)),
      fc.uniqueArray(id).map((active) => (ranking: Ranking) => among(ranking, active)),
    );
    fc.assert(
      fc.property(fc.array(change), (changes) => {
        const ranking = changes.reduce((state, apply) => apply(state), NO_RANKING);
        const standings = ranking.order.map((of) => standingOf(ranking, of));
        expect(new Set(ranking.order).size).toBe(ranking.order.length);
        expect(standings.map(({ priority }) => priority)).toEqual(
          ranking.order.map((_, i) => ranking.order.length - i),
        );
        expect(standings.filter(({ primary }) => primary).length).toBe(ranking.hasPrimary ? 1 : 0);
        if (ranking.hasPrimary) expect(standings[0]?.primary).toBe(true);
      }),
    );
  });
});
