import type { Claimable } from '../records/notification.record.js';

/**
 * What this process is working on, so that leases can be renewed and a shutdown can wait. Whoever adds an item deletes it;
 * it stays as long as anybody holds it, for one piece of work may begin the next before it ends itself.
 */
export class InFlight<T extends Claimable> {
  private readonly items = new Map<T, { since: number; holds: number }>();
  private readonly idle: (() => void)[] = [];
  private readonly leaving = new Map<T, (() => void)[]>();

  constructor(private readonly now: () => number) {}

  get size(): number {
    return this.items.size;
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
    for (const resolve of this.leaving.get(item) ?? []) resolve();
    this.leaving.delete(item);
    if (this.items.size === 0) for (const resolve of this.idle.splice(0)) resolve();
  }

  /** Those that have been worked on for longer than this; each is named once in that time. */
  olderThan(ms: number): T[] {
    const limit = this.now() - ms;
    const old = [...this.items].filter(([, { since }]) => since <= limit);
    for (const [, entry] of old) entry.since = this.now();
    return old.map(([item]) => item);
  }

  /** Resolves when none of these is worked on. */
  async left(items: readonly T[]): Promise<void> {
    const waiting = items.filter((item) => this.items.has(item));
    await Promise.all(
      waiting.map(
        (item) =>
          new Promise<void>((resolve) => {
            this.leaving.set(item, [...(this.leaving.get(item) ?? []), resolve]);
          }),
      ),
    );
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
