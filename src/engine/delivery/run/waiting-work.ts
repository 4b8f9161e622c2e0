/** Less would cost a busy store more than a cancellation gains. */
const LOOK_EVERY_MS = 500;

/**
 * Work that is held and waits for its turn, possibly for long. It is looked at now and then, so that what is canceled need not
 * wait any longer. Work that begins soon costs nothing.
 */
export class WaitingWork<T extends object> {
  private readonly waiting = new Map<T, () => void>();
  private seen = new Set<T>();
  private timer: NodeJS.Timeout | undefined;

  /** @param canceledAmong those that are canceled */
  constructor(
    private readonly canceledAmong: (items: readonly T[]) => Promise<Iterable<T>>,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Waits for a turn, or until the work is canceled. The turn comes nevertheless. */
  async turnOf<R>(item: T, turn: Promise<R>): Promise<R | 'canceled'> {
    const canceled = new Promise<'canceled'>((resolve) => this.waiting.set(item, () => resolve('canceled')));
    this.timer ??= this.lookLater();
    try {
      return await Promise.race([turn, canceled]);
    } finally {
      this.waiting.delete(item);
    }
  }

  private lookLater(): NodeJS.Timeout {
    return setTimeout(() => {
      this.look()
        .catch(this.onError)
        .finally(() => {
          this.timer = this.waiting.size > 0 ? this.lookLater() : undefined;
        });
    }, LOOK_EVERY_MS).unref();
  }

  private async look(): Promise<void> {
    const long = [...this.waiting.keys()].filter((item) => this.seen.has(item));
    this.seen = new Set(this.waiting.keys());
    if (long.length === 0) return;
    for (const item of await this.canceledAmong(long)) this.waiting.get(item)?.();
  }
}
