/**
 * Wakes workers when there is work. A call carries no data and may be lost: what is due is in the store, and workers look
 * for it at every polling interval. Injected by class.
 */
export abstract class WakeUps {
  /** Announces that work is due now. Never throws, never waits. */
  abstract notify(): void;
  /** @returns stops listening */
  abstract listen(listener: () => void): () => void;
  abstract close(): Promise<void>;
}

export class InProcessWakeUps extends WakeUps {
  private readonly listeners = new Set<() => void>();

  notify(): void {
    for (const listener of this.listeners) listener();
  }

  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  close(): Promise<void> {
    this.listeners.clear();
    return Promise.resolve();
  }
}
