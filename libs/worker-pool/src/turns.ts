import { setImmediate } from 'node:timers/promises';

/** For how long a batch goes on before others have their turn on the event loop, in milliseconds. */
const SLICE_MS = 10;

/**
 * Lets requests, timers and other batches have their turn while a batch of many steps is under way: promises alone, which are
 * settled without waiting for anything outside, do not.
 */
export class Turns {
  private begun = performance.now();

  /** Resolves at once, or, where it is time for it, when others have had their turn. */
  async offer(): Promise<void> {
    if (performance.now() - this.begun < SLICE_MS) return;
    await setImmediate();
    this.begun = performance.now();
  }
}
