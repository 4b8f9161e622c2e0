interface Waiting<T, R> {
  readonly item: T;
  resolve(result: R): void;
  reject(error: unknown): void;
}

/** How long a few items wait for the batch before them, which may stand still. */
const PATIENCE_MS = 20;

/**
 * Joins concurrent calls of many callers into a few. The first caller waits only for the end of the current turn of the
 * event loop; while a call is under way the next batch grows, so batches are large exactly when there is much to do.
 */
export class Batcher<T, R> {
  private waiting: Waiting<T, R>[] = [];
  private running = 0;
  private isScheduled = false;
  private patience: NodeJS.Timeout | undefined;

  /**
   * @param flush processes a batch and returns one result per item, in order
   * @param limits largest batch, and how many batches may be under way at once; one begins `beside` others only with so many
   *   items (1), or after a while: fewer cost less together with those that come until then
   * @param mayBeOfOne whether an error may come from a single item of the batch: if so each item is retried on its own,
   *   so that one invalid item does not fail the others
   */
  constructor(
    private readonly flush: (items: T[]) => Promise<R[]>,
    private readonly limits: { readonly size: number; readonly concurrency: number; readonly beside?: number },
    private readonly mayBeOfOne: (error: unknown) => boolean = () => false,
  ) {}

  submit(item: T): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.waiting.length === 0) return;
    if (this.running === 0 || this.waiting.length >= (this.limits.beside ?? 1)) this.begin();
    else this.patience ??= setTimeout(() => this.begin(), PATIENCE_MS);
  }

  private begin(): void {
    clearTimeout(this.patience);
    this.patience = undefined;
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
      await this.flushAndAnswer(batch);
    } finally {
      this.running -= 1;
      this.schedule();
    }
  }

  private async flushAndAnswer(batch: readonly Waiting<T, R>[]): Promise<void> {
    try {
      const results = await this.flush(batch.map(({ item }) => item));
      batch.forEach((waiting, index) => waiting.resolve(results[index] as R));
    } catch (error) {
      if (batch.length > 1 && this.mayBeOfOne(error)) for (const waiting of batch) await this.flushAndAnswer([waiting]);
      else for (const waiting of batch) waiting.reject(error);
    }
  }
}
