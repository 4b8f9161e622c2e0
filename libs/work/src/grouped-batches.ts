export interface GroupedBatchesOptions<T> {
  readonly groupOf: (item: T) => string;
  readonly weightOf: (item: T) => number;
  /** Largest weight of a batch. An item that is heavier has a batch of its own. */
  readonly size: number;
  /** Batches of one group at the same time. */
  readonly concurrency: number;
  /** Starts work on a batch. Calls `onEnd` once, however the work ends. */
  readonly start: (batch: T[], onEnd: () => void) => void;
}

interface Group<T> {
  waiting: T[];
  running: number;
}

/**
 * Collects items by group and starts them in batches, a few of each group at the same time. The first batch starts at once;
 * while the limit is reached the next one grows, so batches are large exactly when there is much to do. Groups do not wait for each other.
 */
export class GroupedBatches<T> {
  private readonly groups = new Map<string, Group<T>>();

  constructor(private readonly options: GroupedBatchesOptions<T>) {}

  add(items: readonly T[]): void {
    const changed = new Set<string>();
    for (const item of items) {
      const key = this.options.groupOf(item);
      const group = this.groups.get(key);
      if (group) group.waiting.push(item);
      else this.groups.set(key, { waiting: [item], running: 0 });
      changed.add(key);
    }
    for (const key of changed) this.startIn(key);
  }

  private startIn(key: string): void {
    const group = this.groups.get(key);
    if (group === undefined) return;
    while (group.waiting.length > 0 && group.running < this.options.concurrency) {
      group.running += 1;
      this.options.start(this.takeBatch(group), () => {
        group.running -= 1;
        this.startIn(key);
      });
    }
    if (group.running === 0) this.groups.delete(key);
  }

  private takeBatch({ waiting }: Group<T>): T[] {
    const { size, weightOf } = this.options;
    let weight = 0;
    const end = waiting.findIndex((item, place) => (weight += weightOf(item)) > size && place > 0);
    return waiting.splice(0, end < 0 ? waiting.length : end);
  }
}
