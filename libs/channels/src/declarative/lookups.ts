const KEPT_MS = 3_600_000;
const MOST = 10_000;

/** Remembers what services said of people and rooms for an hour. What was not found is asked for again. */
export class Lookups {
  private readonly known = new Map<string, { readonly value: string; readonly until: number }>();

  async find(key: string, now: Date, ask: () => Promise<string | undefined>): Promise<string | undefined> {
    const found = this.known.get(key);
    if (found !== undefined && found.until > now.getTime()) return found.value;
    const value = await ask();
    this.known.delete(key);
    if (value === undefined) return undefined;
    const [oldest] = this.known.keys();
    if (this.known.size >= MOST && oldest !== undefined) this.known.delete(oldest);
    this.known.set(key, { value, until: now.getTime() + KEPT_MS });
    return value;
  }
}
