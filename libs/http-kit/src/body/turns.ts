/** Work that pauses after each small part of it. */
export type Turns<T> = Generator<void, T, void>;

/** Carries out what is so little that it needs no pauses. */
export function atOnce<T>(work: Turns<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** How long one turn may take; its last part can make it a few milliseconds more. */
const TURN_MS = 8;

const waiting: (() => boolean)[] = [];
let running = false;

/**
 * Carries out work in turns of a few milliseconds, between which everything else of the process gets its own. However
 * much of such work there is, one turn is taken at a time.
 */
export function inTurns<T>(work: Turns<T>): Promise<T> {
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
