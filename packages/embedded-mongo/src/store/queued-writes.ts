import { StoreError } from '../errors.js';

/** A write that waits for its transaction. */
export interface QueuedWrite {
  run: () => unknown;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

export type Outcome = { ok: true; value: unknown } | { ok: false; error: unknown };

export function outcomeOf(run: () => unknown): Outcome {
  try {
    return { ok: true, value: run() };
  } catch (error) {
    if (error instanceof StoreError) return { ok: false, error };
    throw error;
  }
}

export function settle(batch: QueuedWrite[], outcomes: Outcome[]): void {
  batch.forEach((write, index) => {
    const outcome = outcomes[index];
    if (outcome?.ok) write.resolve(outcome.value);
    else write.reject(outcome?.error);
  });
}
