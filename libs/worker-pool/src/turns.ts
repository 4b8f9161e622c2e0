/** Work yields after this time; the last portion can add a few milliseconds. */
const TURN_MS = 8;

export type Portions<T> = Generator<void, T, void>;

/** For small work: no pauses. */
export function atOnce<T>(work: Portions<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

const waiting: (() => boolean)[] = [];
let running = false;

/** Serves requests and timers every few milliseconds. All such work takes turns. */
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
 * For asynchronous work of many steps: promises that wait for nothing outside the process never yield to requests and
 * timers.
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
