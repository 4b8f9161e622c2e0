/** A value with what it was before, to undo changes, and what was undone, to do it again. */
export interface History<T> {
  readonly past: readonly T[];
  readonly present: T;
  readonly future: readonly T[];
  /** What the last change was about: further changes of it within a moment are undone together. */
  readonly last?: { readonly about: string; readonly at: number };
}

const MAX_STEPS_BACK = 200;
const TOGETHER_MS = 1_000;

export function beginHistory<T>(present: T): History<T> {
  return { past: [], present, future: [] };
}

/** @param about names the field that changes, so that typing is undone in portions and not letter by letter */
export function changed<T>(history: History<T>, present: T, about: string, at: number): History<T> {
  const { past, last } = history;
  const isSameTyping = last !== undefined && last.about === about && at - last.at < TOGETHER_MS && past.length > 0;
  return {
    past: isSameTyping ? past : [...past, history.present].slice(-MAX_STEPS_BACK),
    present,
    future: [],
    last: { about, at },
  };
}

export function undone<T>({ past, present, future }: History<T>): History<T> {
  const former = past.at(-1);
  if (former === undefined) return { past, present, future };
  return { past: past.slice(0, -1), present: former, future: [present, ...future] };
}

export function redone<T>({ past, present, future }: History<T>): History<T> {
  const [next, ...rest] = future;
  if (next === undefined) return { past, present, future };
  return { past: [...past, present], present: next, future: rest };
}
