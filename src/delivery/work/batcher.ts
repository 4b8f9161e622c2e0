interface Waiting<T, R> {
  readonly item: T;
  resolve(result: R): void;
  reject(error: unknown): void;
}

/**
 * Joins what many callers do at the same time into few calls. The first caller waits for nothing but the end of the
 * current turn of the event loop; while a call is under way the next batch grows, so that batches are large exactly when
 * there is much to do.
 */
export class Batcher<T, R> {
  private waiting: Waiting<T, R>[] = [];
  private running = 0;
  private isScheduled = false;

  /**
   * @param flush gets a batch and answers one result for each item, in order
   * @param limits largest batch, and how many calls may be under way at once
   * @param mayBeOfOne whether an error may come from one item of a batch: then each has a call of its own, so that one
   *   that cannot be written does not take the others with it
   */
  constructor(
    private readonly flush: (items: T[]) => Promise<R[]>,
    private readonly limits: { readonly size: number; readonly concurrency: number },
    private readonly mayBeOfOne: (error: unknown) => boolean = () => false,
  ) {}

  submit(item: T): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.isScheduled || this.waiting.length === 0 || this.running >= this.limits.concurrency) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      void this.runOne();
      this.schedule();
    });
  }

  private async runOne(): Promise<void> {
    const batch = this.waiting.splice(0, this.limits.size);
    if (batch.length === 0) return;
    this.running += 1;
    try {
      await this.settle(batch);
    } finally {
      this.running -= 1;
      this.schedule();
    }
  }

  private async settle(batch: readonly Waiting<T, R>[]): Promise<void> {
    try {
      const results = await this.flush(batch.map(({ item }) => item));
      batch.forEach((waiting, place) => waiting.resolve(results[place] as R));
    } catch (error) {
      if (batch.length > 1 && this.mayBeOfOne(error)) for (const waiting of batch) await this.settle([waiting]);
      else for (const waiting of batch) waiting.reject(error);
    }
  }
}
