import { isChannel } from './workflow-words.js';
import type { DryStep, Recipient } from './dry-run-words.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A moment at which something would happen for a person. */
export interface Stop {
  readonly label: string;
  readonly at: string;
  readonly steps: readonly DryStep[];
}

/** The moments of a dry run, first to last. Steps that it would not reach are in none. */
export function stopsOf({ steps }: Pick<Recipient, 'steps'>): Stop[] {
  const times = new Map<number, { readonly at: string; readonly steps: DryStep[] }>();
  const [start = 0] = steps.flatMap(({ at }) => (at === undefined ? [] : [Date.parse(at)]));
  for (const step of steps) {
    const at = timeOf(step);
    if (at === undefined) continue;
    // What follows at once begins some milliseconds later.
    const second = Math.round((Date.parse(at) - start) / SECOND);
    const stop = times.get(second) ?? { at, steps: [] };
    stop.steps.push(step);
    times.set(second, stop);
  }
  return [...times]
    .sort(([one], [other]) => one - other)
    .map(([second, { at, steps: own }]) => ({ label: offsetWords(second * SECOND), at, steps: own }));
}

/** A message that is held is sent at the end of its wait; other steps that wait are shown where they begin. */
function timeOf({ type, at, until }: DryStep): string | undefined {
  return isChannel(type) ? (until ?? at) : at;
}

/** `After 1 hour`, `On day 3`: the day on which it begins is day 0. */
export function offsetWords(ms: number): string {
  if (ms < MINUTE) return 'At once';
  if (ms >= DAY) return `On day ${Math.floor(ms / DAY)}`;
  const [hours, minutes] = [Math.floor(ms / HOUR), Math.round((ms % HOUR) / MINUTE)];
  const words = [
    ...(hours > 0 ? [hours === 1 ? '1 hour' : `${hours} hours`] : []),
    ...(minutes > 0 ? [minutes === 1 ? '1 minute' : `${minutes} minutes`] : []),
  ];
  return `After ${words.join(' ')}`;
}
