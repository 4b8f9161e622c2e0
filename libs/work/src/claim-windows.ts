/** More would make the store skip more than a claim takes. */
const MOST = 16;
/** Records that are worth a claim of their own. */
const LEAST_RECORDS = 50;
/** The part of a claim's records that others may have claimed first before workers are thought to be in each other's way. */
const LOST = 0.25;
/** So many claims without it, and workers are thought to be fewer. */
const CLEAN_CLAIMS = 8;

/**
 * Where among due records a claim begins, so that workers who look at the same time take others. At first that is the oldest record.
 * Each claim that loses records to other workers doubles the windows into which due records are divided, and a claim takes one of them
 * by chance. Nobody owns a window, so nothing waits for a worker that has died.
 */
export class ClaimWindows {
  private count = 1;
  private clean = 0;

  constructor(private readonly random: () => number = Math.random) {}

  /** The window of a claim that is made now. */
  next(): number {
    return this.pick(this.count);
  }

  /**
   * What a claim chooses from, of all that is due: of each kind, the records of one window. A few of a kind are one window.
   * @param due oldest first
   */
  partOf<T>(due: readonly T[], kindOf: (one: T) => string): readonly T[] {
    if (this.count === 1) return due;
    const kinds = new Map<string, T[]>();
    for (const one of due) {
      const kind = kindOf(one);
      const ofKind = kinds.get(kind);
      if (ofKind) ofKind.push(one);
      else kinds.set(kind, [one]);
    }
    return [...kinds.values()].flatMap((records) => {
      const count = Math.max(1, Math.min(this.count, Math.floor(records.length / LEAST_RECORDS)));
      const window = this.pick(count);
      return records.filter((_one, place) => place % count === window);
    });
  }

  /**
   * Notes what became of a claim.
   * @param wanted records that it chose
   * @param got those that no other worker had claimed meanwhile
   * @returns whether there are more windows now
   */
  ended(wanted: number, got: number): boolean {
    if (wanted === 0) return false;
    if (wanted - got > wanted * LOST) {
      this.clean = 0;
      if (this.count === MOST) return false;
      this.count *= 2;
      return true;
    }
    this.clean += 1;
    if (this.clean === CLEAN_CLAIMS) {
      this.clean = 0;
      this.count = Math.max(1, this.count / 2);
    }
    return false;
  }

  private pick(count: number): number {
    return count === 1 ? 0 : Math.floor(this.random() * count);
  }
}
