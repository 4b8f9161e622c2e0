/** Keys that are remembered; with more, transactions that began before have to be tried again. */
const MOST_CHANGED = 1_000_000;

/** Which keys have changed since the oldest open transaction began, and which keys an open transaction is about to change. */
export class Changes {
  private now = 0;
  /** Nothing is known of changes up to here. */
  private forgotten = 0;
  private readonly changed = new Map<string, number>();
  private readonly claims = new Map<string, object>();
  private readonly begun = new Map<object, number>();

  get openTransactions(): number {
    return this.begun.size;
  }

  begin(transaction: object): void {
    this.begun.set(transaction, this.now);
  }

  end(transaction: object, keys: Iterable<string>): void {
    for (const key of keys) if (this.claims.get(key) === transaction) this.claims.delete(key);
    this.begun.delete(transaction);
    if (this.begun.size === 0) this.changed.clear();
  }

  /** A key is being changed for good. */
  note(key: Buffer): void {
    if (this.begun.size === 0) return;
    if (this.changed.size >= MOST_CHANGED) {
      this.changed.clear();
      this.forgotten = this.now;
    }
    this.changed.set(nameOf(key), ++this.now);
  }

  /** False if the key was changed after the transaction began, or is claimed by another one. */
  claim(transaction: object, key: string): boolean {
    if (this.hasChanged(transaction, key)) return false;
    const owner = this.claims.get(key) ?? transaction;
    this.claims.set(key, owner);
    return owner === transaction;
  }

  hasChanged(transaction: object, key: string): boolean {
    const since = this.begun.get(transaction) ?? 0;
    return since < this.forgotten || (this.changed.get(key) ?? 0) > since;
  }
}

export const nameOf = (key: Buffer): string => key.toString('latin1');
