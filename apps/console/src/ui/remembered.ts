import { useState } from 'preact/hooks';

const nameOf = (what: string): string => `herald.${what}`;

/** What somebody has chosen before, in this browser. */
export function remembered(what: string): string | undefined {
  try {
    return localStorage.getItem(nameOf(what)) ?? undefined;
  } catch {
    return undefined;
  }
}

export function remember(what: string, choice: string): void {
  try {
    localStorage.setItem(nameOf(what), choice);
  } catch {
    // The storage is full or forbidden: the choice holds until the page is left.
  }
}

/** Forgets everything whose name begins so. */
export function forgetRemembered(beginning: string): void {
  try {
    const names = Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at));
    for (const name of names) if (name?.startsWith(nameOf(beginning))) localStorage.removeItem(name);
  } catch {
    // The storage is forbidden: nothing was kept.
  }
}

/** A choice that is there again the next time. @param usual what holds before anything was chosen */
export function useRemembered<T extends string>(what: string, choices: readonly T[], usual: T): [T, (next: T) => void] {
  const [chosen, choose] = useState<T>(() => choices.find((one) => one === remembered(what)) ?? usual);
  const set = (next: T): void => {
    remember(what, next);
    choose(next);
  };
  return [chosen, set];
}
