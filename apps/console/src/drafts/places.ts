import { type DraftStep, isNamed, tooEarly } from './draft.js';

type Placed = Pick<DraftStep, 'uuid' | 'stepId' | 'branch'>;

/** A place between two steps of a workflow. */
export interface Place {
  /** Before the step with this index; their number: at the end. */
  readonly at: number;
  /** The arm in which it is; undefined: in none. */
  readonly branch: DraftStep['branch'];
}

export interface TakenArm {
  /** Index of the branch or split. */
  readonly decider: number;
  readonly arm: string;
}

/** The arms in which a step stands, the outermost one first. What names no earlier step stands in none. */
export function armsAround(steps: readonly Placed[], at: number): readonly TakenArm[] {
  const { branch } = steps[at] ?? {};
  if (branch === undefined) return [];
  const decider = steps.findIndex((one) => isNamed(one, branch.step));
  if (decider < 0 || decider >= at) return [];
  return [...armsAround(steps, decider), { decider, arm: branch.arm }];
}

export function insertedAt(steps: readonly DraftStep[], step: DraftStep, place: Place): readonly DraftStep[] {
  return steps.toSpliced(place.at, 0, { ...step, branch: place.branch });
}

/** Steps that would go with a step that is moved: itself, and all that stand in arms of it. */
export function withArms(steps: readonly Placed[], from: number): ReadonlySet<number> {
  const inIt = steps.flatMap((_, at) => (armsAround(steps, at).some(({ decider }) => decider === from) ? [at] : []));
  return new Set([from, ...inIt]);
}

/**
 * Moves a step, and with a branch or split what stands in its arms. The same list, if it is there already or cannot be: in arms of its own,
 * or where a step would come before one that it depends on.
 */
export function movedTo(steps: readonly DraftStep[], from: number, { at, branch }: Place): readonly DraftStep[] {
  const taken = withArms(steps, from);
  const head = steps[from];
  const into = branch && steps.findIndex((one) => isNamed(one, branch.step));
  if (head === undefined || (into !== undefined && taken.has(into))) return steps;
  const stays = (list: readonly DraftStep[], offset: number): DraftStep[] =>
    list.filter((_, place) => !taken.has(place + offset));
  const rest = steps.filter((_, place) => taken.has(place) && place !== from);
  const next = [...stays(steps.slice(0, at), 0), { ...head, branch }, ...rest, ...stays(steps.slice(at), at)];
  const isSame = isSameArm(head.branch, branch) && next.every(({ uuid }, place) => uuid === steps[place]?.uuid);
  const early = new Set(tooEarly(steps).map(({ uuid }) => uuid));
  return isSame || tooEarly(next).some(({ uuid }) => !early.has(uuid)) ? steps : next;
}

/** Moves a step to where another one is in the list. It stays in its arm. */
export function movedOver(steps: readonly DraftStep[], from: number, to: number): readonly DraftStep[] {
  if (withArms(steps, from).has(to)) return steps;
  return movedTo(steps, from, { at: to > from ? to + 1 : to, branch: steps[from]?.branch });
}

/** The step that one moves over by one place: past a branch or split at once with all that stands in its arms. */
export function neighbourOf(steps: readonly Placed[], at: number, direction: 'up' | 'down'): number | undefined {
  if (direction === 'down') {
    const own = withArms(steps, at);
    const next = steps.findIndex((_, place) => place > at && !own.has(place));
    return next < 0 ? undefined : Math.max(...withArms(steps, next));
  }
  if (at === 0) return undefined;
  const around = new Set(armsAround(steps, at).map(({ decider }) => decider));
  return armsAround(steps, at - 1).find(({ decider }) => !around.has(decider))?.decider ?? at - 1;
}

function isSameArm(one: DraftStep['branch'], other: DraftStep['branch']): boolean {
  return one?.step === other?.step && one?.arm === other?.arm;
}
