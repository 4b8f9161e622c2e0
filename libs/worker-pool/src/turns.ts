/** How long work runs before it yields. The last portion can add a few milliseconds. */
const TURN_MS = 8;

export type Portions<T> = Generator<void, T, void>;

/** Runs small work without pauses. */
export function atOnce<T>(work: Portions<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

const waiting: (() => boolean)[] = [];
let running = false;

/**
 * Runs work in turns of a few milliseconds, between which requests and timers are served. All such work takes turns.
 */
export function inTurns<T>(work: Portions<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    waiting.push(() => {
      try {
        const step = work.next();
        if (step.done === true) resolve(step.value);
        return step.done === true;
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
        return true;
      }
    });
    if (!running) takeTurn();
  });
}

function takeTurn(): void {
  const work = waiting.shift();
  running = work !== undefined;
  if (work === undefined) return;
  const end = performance.now() + TURN_MS;
  let isDone = work();
  while (!isDone && performance.now() < end) isDone = work();
  if (!isDone) waiting.push(work);
  setImmediate(takeTurn);
}

/**
 * Yields to requests and timers in asynchronous work of many steps: promises that settle without waiting for anything
 * outside the process never do.
 */
export class Turns {
  private startedAt = performance.now();

  /** @returns undefined within a turn, otherwise a promise that resolves after the event loop has run */
  offer(): Promise<void> | undefined {
    return performance.now() - this.startedAt < TURN_MS ? undefined : this.pause();
  }

  private async pause(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.startedAt = performance.now();
  }
}
