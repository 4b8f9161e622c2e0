/**
 * The records that this process is working on, so that their leases can be renewed and a shutdown can wait for them. A
 * record added twice has to be deleted twice: one piece of work may start the next one before it ends.
 */
export class InFlight<T extends object> {
  private readonly items = new Map<T, { since: number; holds: number }>();
  private readonly onEmpty: (() => void)[] = [];
  private readonly onLeft = new Map<T, (() => void)[]>();

  /** @param now monotonic, in milliseconds */
  constructor(private readonly now: () => number = () => performance.now()) {}

  get size(): number {
    return this.items.size;
  }

  has(item: T): boolean {
    return this.items.has(item);
  }

  add(item: T): void {
    const known = this.items.get(item);
    if (known) known.holds += 1;
    else this.items.set(item, { since: this.now(), holds: 1 });
  }

  delete(item: T): void {
    const known = this.items.get(item);
    if (known === undefined || --known.holds > 0) return;
    this.items.delete(item);
    for (const resolve of this.onLeft.get(item) ?? []) resolve();
    this.onLeft.delete(item);
    if (this.items.size === 0) for (const resolve of this.onEmpty.splice(0)) resolve();
  }

  /** Records in flight for longer than this; each is returned once in that time. */
  olderThan(ms: number): T[] {
    const limit = this.now() - ms;
    const old = [...this.items].filter(([, { since }]) => since <= limit);
    for (const [, entry] of old) entry.since = this.now();
    return old.map(([item]) => item);
  }

  /** Resolves when none of these records is in flight. */
  async left(items: readonly T[]): Promise<void> {
    const waiting = items.filter((item) => this.items.has(item));
    await Promise.all(
      waiting.map(
        (item) =>
          new Promise<void>((resolve) => {
            this.onLeft.set(item, [...(this.onLeft.get(item) ?? []), resolve]);
          }),
      ),
    );
  }

  /** Resolves when nothing is in flight or the time is up. @returns the records still in flight */
  async settle(withinMs: number): Promise<T[]> {
    if (this.items.size > 0) {
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, withinMs);
      });
      await Promise.race([new Promise<void>((resolve) => this.onEmpty.push(resolve)), timeout]);
      clearTimeout(timer);
    }
    return [...this.items.keys()];
  }
}
