import { LRUCache } from 'lru-cache';

const MAX_KEYS = 10_000;

interface Second {
  readonly at: number;
  taken: number;
}

/** Lets a number of each key through in each second of this process. */
export class PerSecond {
  private readonly seconds = new LRUCache<string, Second>({ max: MAX_KEYS });

  constructor(private readonly limit: number) {}

  take(key: string, now: Date): boolean {
    const at = Math.floor(now.getTime() / 1_000);
    const known = this.seconds.get(key);
    const second = known?.at === at ? known : { at, taken: 0 };
    if (second !== known) this.seconds.set(key, second);
    second.taken += 1;
    return second.taken <= this.limit;
  }
}
