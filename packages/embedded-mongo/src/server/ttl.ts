import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../commands/context.js';
import { changeInSteps } from '../commands/batches.js';
import { searchOf } from '../commands/write.js';
import type { Index } from '../store/index.js';
import { search } from '../search/search.js';

const STEP = 500;
/** Documents of one transaction: others wait for its end. */
const PORTION = 100;

/**
 * Removes documents whose date in a TTL index has passed, some in each transaction. After each, others have the store for as long as it
 * took: a day's worth may expire at once, and nobody waits for its removal.
 */
export class TtlMonitor {
  private readonly timer: NodeJS.Timeout;
  private running = false;
  private stopped = false;
  private readonly stats = { examined: 0, scanned: false };

  constructor(
    private readonly context: Context,
    intervalMs: number,
  ) {
    this.timer = setInterval(() => void this.tick(), intervalMs);
    this.timer.unref();
  }

  stop(): void {
    this.stopped = true;
    clearInterval(this.timer);
  }

  private async tick(): Promise<void> {
    if (this.running) return;
    this.running = true;
    try {
      await this.context.transactions.sweep();
      await this.sweep();
    } catch (error) {
      this.context.log({ level: 'error', msg: 'removing expired documents failed', error: String(error) });
    } finally {
      this.running = false;
    }
  }

  /** One round over all TTL indexes; gives the number of removed documents. */
  async sweep(): Promise<number> {
    let removed = 0;
    for (const { ns, indexes } of this.context.engine.list()) {
      for (const index of indexes) {
        if (index.expireAfterSeconds !== undefined) removed += await this.expire(ns, index);
      }
    }
    return removed;
  }

  private async expire(ns: string, index: Index): Promise<number> {
    const before = new Date(Date.now() - (index.expireAfterSeconds as number) * 1000);
    const condition = { type: 'compare', op: 'lte', path: index.paths[0] as string[], value: before } as const;
    const filter = { type: 'and' as const, nodes: [condition, ...(index.partial ?? [])] };
    const statement = { filter, filterSource: {}, sort: [], multi: true, hint: undefined, upsert: false };
    const { engine } = this.context;
    for (let total = 0; ;) {
      const ids: Buffer[] = [];
      const collection = engine.find(ns);
      if (!collection) return total;
      for (const batch of search(
        engine,
        collection,
        { ...searchOf(collection, statement), hint: index.name, limit: STEP },
        this.stats,
      ))
        ids.push(...batch.map(({ id }) => id));
      for (let at = 0; at < ids.length; at += PORTION) {
        const began = performance.now();
        const { matched } = await changeInSteps(this.context, ns, statement, ids.slice(at, at + PORTION));
        total += matched;
        await sleep(performance.now() - began);
        if (this.stopped) return total;
      }
      if (ids.length < STEP) return total;
    }
  }
}
