import { armsOf, type DraftStep, isNamed } from './draft.js';
import { withArms } from './places.js';

export interface ChangedArms {
  readonly steps: readonly DraftStep[];
  /** Names of the arms that are gone. */
  readonly gone: readonly string[];
  /** What stands in them, with all that stands in arms of it. */
  readonly leaving: readonly DraftStep[];
}

/** Puts a changed step into the list: what stands in its arms follows their names, and leaves with an arm that is gone. */
export function withChanged(steps: readonly DraftStep[], at: number, changed: DraftStep): ChangedArms {
  const before = steps[at] as DraftStep;
  const names = { old: armsOf(before), now: armsOf(changed) };
  const renamed = renamedArms(before, changed, names);
  const gone = names.now.length < names.old.length ? names.old.filter((name) => !names.now.includes(name)) : [];
  const isIn = ({ branch }: DraftStep): boolean => branch !== undefined && isNamed(before, branch.step);
  const left = new Set(
    steps.flatMap((one, place) =>
      isIn(one) && gone.includes(one.branch?.arm ?? '') ? [...withArms(steps, place)] : [],
    ),
  );
  const follow = (one: DraftStep): DraftStep => {
    const arm = isIn(one) && one.branch ? nameAfter(one.branch.arm, names.old, renamed) : undefined;
    return arm === undefined || one.branch === undefined ? one : { ...one, branch: { ...one.branch, arm } };
  };
  return {
    steps: steps.flatMap((one, place) => {
      if (place === at) return [withWinner(changed, renamed, gone)];
      return left.has(place) ? [] : [follow(one)];
    }),
    gone,
    leaving: steps.filter((_, place) => left.has(place)),
  };
}

interface Names {
  readonly old: readonly string[];
  readonly now: readonly string[];
}

type Renamed = readonly (readonly [old: string, now: string])[];

/** A name that another arm has, as while one is being typed, is none to follow: the steps of both would be together. */
function renamedArms(before: DraftStep, changed: DraftStep, { old, now }: Names): Renamed {
  const pairs =
    before.template.type === 'branch'
      ? before.variants.map(
          ({ uuid, name }) => [name, changed.variants.find((one) => one.uuid === uuid)?.name] as const,
        )
      : old.map((name, place) => [name, old.length === now.length ? now[place] : undefined] as const);
  return pairs.flatMap(([name, next]) => (next === undefined || old.includes(next) ? [] : [[name, next] as const]));
}

/** Steps whose arm is none are those that could not follow before. */
function nameAfter(arm: string, old: readonly string[], renamed: Renamed): string | undefined {
  const isShared = (name: string): boolean => old.indexOf(name) !== old.lastIndexOf(name);
  const found = old.includes(arm)
    ? renamed.find(([name]) => name === arm && !isShared(name))
    : renamed.find(([name]) => isShared(name));
  return found?.[1];
}

/** A split names the arm that has won. */
function withWinner(step: DraftStep, renamed: Renamed, gone: readonly string[]): DraftStep {
  const { winner, ...metadata } = step.metadata;
  if (typeof winner !== 'string') return step;
  const [, next] = renamed.find(([name]) => name === winner) ?? [];
  if (next !== undefined) return { ...step, metadata: { ...metadata, winner: next } };
  return gone.includes(winner) ? { ...step, metadata } : step;
}
