import { LRUCache } from 'lru-cache';

const MAX_ANSWERS = 1_000;
/** Smaller answers are cheap to compute and not cached. */
const MIN_ROWS = 10_000;
const MS_PER_ROW = 0.2;
const MAX_AGE_MS = 60_000;

export interface SizedAnswer<T extends object> {
  readonly answer: T;
  readonly size: number;
}

/**
 * More rows are cached longer: they take longer to compute and change less. Concurrent requests share one computation.
 */
export class KeptAnswers {
  private readonly answers = new LRUCache<string, object>({ max: MAX_ANSWERS, ttl: MAX_AGE_MS });
  private readonly pending = new Map<string, Promise<object>>();

  /** @param find failures are not cached */
  async get<T extends object>(key: string, find: () => Promise<SizedAnswer<T>>): Promise<T> {
    const known = this.answers.get(key);
    if (known !== undefined) return known as T;
    const asked = this.pending.get(key);
    if (asked !== undefined) return (await asked) as T;
    const found = this.find(key, find);
    this.pending.set(key, found);
    try {
      return await found;
    } finally {
      this.pending.delete(key);
    }
  }

  private async find<T extends object>(key: string, find: () => Promise<SizedAnswer<T>>): Promise<T> {
    const { answer, size } = await find();
    if (size >= MIN_ROWS) this.answers.set(key, answer, { ttl: Math.min(size * MS_PER_ROW, MAX_AGE_MS) });
    return answer;
  }
}
