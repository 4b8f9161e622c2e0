import { randomBytes } from 'node:crypto';

/** What is kept of the past for those who watch, and those who come back. */
const MOST_CHANGES = 10_000;
const MOST_BYTES = 16 * 1024 * 1024;
/** How long changes are kept after the last one who watched is gone. */
const KEPT_MS = 60_000;

export interface Change {
  type: 'insert' | 'update' | 'replace' | 'delete' | 'drop' | 'rename' | 'dropDatabase';
  ns: string;
  /** The document before and after. */
  before?: Buffer;
  after?: Buffer;
  /** The new name. */
  to?: string;
}

export interface LoggedChange extends Change {
  /** Its place in the log, from 1 on. */
  place: number;
  at: number;
}

/** The latest changes, in memory, in the order in which they were stored. Nothing is kept while nobody watches. */
export class ChangeLog {
  /** Tells the places of this process from those of others. */
  readonly epoch = `${Math.floor(Date.now() / 1000).toString(16)}${randomBytes(4).toString('hex')}`;
  /** When the log began to be kept. */
  since = 0;
  private watchers = 0;
  private closing: NodeJS.Timeout | undefined;
  private isKept = false;
  private kept: LoggedChange[] = [];
  private bytes = 0;
  private last = 0;
  private unstored: Change[] = [];
  private readonly waiting = new Set<() => void>();

  /** The place of the latest change. */
  get end(): number {
    return this.last;
  }

  /** Begins to keep changes. */
  open(): void {
    clearTimeout(this.closing);
    this.watchers++;
    if (!this.isKept) this.since = Date.now();
    this.isKept = true;
  }

  close(): void {
    this.watchers--;
    if (this.watchers > 0) return;
    this.closing = setTimeout(() => this.forget(), KEPT_MS);
    this.closing.unref();
  }

  /** A change that is part of the current write transaction. */
  note(change: () => Change): void {
    if (this.isKept) this.unstored.push(change());
  }

  /** The write transaction was stored, or undone. */
  settle(isStored: boolean): void {
    if (this.unstored.length === 0) return;
    const at = Date.now();
    if (isStored) {
      for (const change of this.unstored) {
        this.kept.push({ ...change, place: ++this.last, at });
        this.bytes += sizeOf(change);
      }
      this.prune();
      for (const wake of [...this.waiting]) wake();
    }
    this.unstored = [];
  }

  /** Changes after a place; undefined if some of them are no longer known. */
  after(place: number, most: number): LoggedChange[] | undefined {
    const first = this.last - this.kept.length + 1;
    if (!this.isKept || place + 1 < first || place > this.last) return undefined;
    return this.kept.slice(place + 1 - first, place + 1 - first + most);
  }

  /** Resolves with the next change, or when the time is over. */
  next(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.waiting.add(done);
    });
  }

  forget(): void {
    clearTimeout(this.closing);
    this.isKept = false;
    this.kept = [];
    this.bytes = 0;
    for (const wake of [...this.waiting]) wake();
  }

  private prune(): void {
    let gone = 0;
    while (this.kept.length - gone > MOST_CHANGES || this.bytes > MOST_BYTES) {
      this.bytes -= sizeOf(this.kept[gone] as Change);
      gone++;
    }
    if (gone > 0) this.kept = this.kept.slice(gone);
  }
}

const sizeOf = ({ before, after }: Change): number => 100 + (before?.length ?? 0) + (after?.length ?? 0);
