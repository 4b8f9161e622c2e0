import type { Claimable } from '../../notifications/index.js';

/** What this process is working on, so that leases can be renewed and a shutdown can wait. */
export class InFlight<T extends Claimable> {
  private readonly items = new Map<T, number>();
  private readonly idle: (() => void)[] = [];

  constructor(private readonly now: () => number) {}

  get size(): number {
    return this.items.size;
  }

  add(item: T): void {
    this.items.set(item, this.now());
  }

  delete(item: T): void {
    this.items.delete(item);
    if (this.items.size === 0) for (const resolve of this.idle.splice(0)) resolve();
  }

  /** Those that have been worked on for longer than this; each is named once in that time. */
  olderThan(ms: number): T[] {
    const limit = this.now() - ms;
    const old = [...this.items].filter(([, since]) => since <= limit).map(([item]) => item);
    for (const item of old) this.items.set(item, this.now());
    return old;
  }

  /** Resolves when nothing is worked on, or after the time is over. @returns what is still at work */
  async settle(withinMs: number): Promise<T[]> {
    if (this.items.size > 0) {
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, withinMs);
      });
      await Promise.race([new Promise<void>((resolve) => this.idle.push(resolve)), timeout]);
      clearTimeout(timer);
    }
    return [...this.items.keys()];
  }
}
