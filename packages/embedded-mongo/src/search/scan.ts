import type { IndexPlan, KeyRange, Plan } from './plan.js';
import type { Collection } from '../store/collection.js';
import type { Store } from '../store/store.js';

/** A candidate: the encoded `_id` and the document's bytes. */
export interface Candidate {
  id: Buffer;
  raw: Buffer;
}

interface Entry {
  id: Buffer;
  key: Buffer;
  raw?: Buffer;
}

/** Reads candidates some at a time and holds nothing open in between, so that a scan of any length can pause. */
export interface Scan {
  /** Up to about `max` candidates; an empty answer means that there are no more. */
  next(max: number): Candidate[];
  /** Encoded ids only, without reading documents. */
  nextIds(max: number): Buffer[];
}

export function openScan(store: Store, collection: Collection, plan: Plan): Scan {
  if (plan.type === 'union') return new UnionScan(plan.branches.map((branch) => openScan(store, collection, branch)));
  return new IndexScan(store, collection, plan);
}

class IndexScan implements Scan {
  private readonly source: EntrySource;
  /** Only a field with several entries per document can lead to it twice. */
  private readonly seen: Set<string> | undefined;

  constructor(
    private readonly store: Store,
    private readonly collection: Collection,
    private readonly plan: IndexPlan,
  ) {
    const sources = plan.ranges.map((range) => new RangeSource(store, collection, plan, range));
    // ranges whose order begins with the first field follow one another; otherwise their entries interleave
    const merged = plan.sorted && plan.ranges.some(({ orderAt }) => orderAt > plan.index.prefix.length);
    this.source =
      sources.length > 1 && merged ? new MergeSource(sources, plan.reverse) : new ChainSource(sources, plan.reverse);
    this.seen = plan.index.multi.size > 0 ? new Set() : undefined;
  }

  next(max: number): Candidate[] {
    for (;;) {
      const entries = this.fresh(max);
      if (entries === undefined) return [];
      const found: Candidate[] = [];
      for (const { id, raw, key } of entries) {
        const document = raw ?? this.collection.get(id);
        if (document) found.push({ id, raw: document });
        else this.assertGone(key);
      }
      if (found.length > 0) return found;
    }
  }

  /** Entries are removed together with their document, and those of a dropped collection after it. */
  private assertGone(key: Buffer): void {
    const { store, collection, plan } = this;
    const isCurrent = store.find(collection.ns)?.indexes.some(({ record }) => record.id === plan.index.record.id);
    if (isCurrent && store.has(key)) throw store.damageOf(key, 'leads to no document');
  }

  nextIds(max: number): Buffer[] {
    return (this.fresh(max) ?? []).map(({ id }) => id);
  }

  /** The next entries of documents not seen before; undefined at the end. */
  private fresh(max: number): Entry[] | undefined {
    for (;;) {
      const entries = this.source.next(max);
      if (entries.length === 0) return undefined;
      const seen = this.seen;
      if (!seen) return entries;
      const fresh = entries.filter(({ id }) => {
        const text = id.toString('latin1');
        return !seen.has(text) && seen.add(text);
      });
      if (fresh.length > 0) return fresh;
    }
  }
}

class UnionScan implements Scan {
  private readonly seen = new Set<string>();
  private at = 0;

  constructor(private readonly scans: Scan[]) {}

  next(max: number): Candidate[] {
    return this.advance(
      (scan) => scan.next(max),
      ({ id }) => this.isNew(id),
    );
  }

  nextIds(max: number): Buffer[] {
    return this.advance(
      (scan) => scan.nextIds(max),
      (id) => this.isNew(id),
    );
  }

  private advance<T>(read: (scan: Scan) => T[], fresh: (item: T) => boolean): T[] {
    for (let scan = this.scans[this.at]; scan; scan = this.scans[this.at]) {
      const items = read(scan);
      if (items.length === 0) this.at++;
      const news = items.filter(fresh);
      if (news.length > 0) return news;
    }
    return [];
  }

  private isNew(id: Buffer): boolean {
    const text = id.toString('latin1');
    return !this.seen.has(text) && this.seen.add(text) !== undefined;
  }
}

interface EntrySource {
  next(max: number): Entry[];
}

/** One range; continues after the last key that it returned. */
class RangeSource implements EntrySource {
  private last: Buffer | undefined;
  private done = false;

  constructor(
    private readonly store: Store,
    private readonly collection: Collection,
    private readonly plan: IndexPlan,
    readonly range: KeyRange,
  ) {}

  next(max: number): Entry[] {
    if (this.done) return [];
    if (this.range.key) return this.readOne(this.range.key);
    const entries = this.plan.index.primary ? this.readDocuments(max) : this.readIndex(max);
    if (entries.length < max) this.done = true;
    this.last = entries.at(-1)?.key;
    return entries;
  }

  /** One read instead of a range, which costs several times as much. */
  private readOne(key: Buffer): Entry[] {
    this.done = true;
    const { primary } = this.plan.index;
    const value = primary ? this.collection.documents.get(key) : this.store.get(key);
    if (!value) return [];
    return [
      primary
        ? { id: key.subarray(this.collection.prefix.length), key, raw: value }
        : { id: this.collection.idOf(key, value), key },
    ];
  }

  /** The rest of the range. */
  private rest(): { start: Buffer; end: Buffer; reverse: boolean } {
    const { start, end } = this.range;
    const { reverse } = this.plan;
    if (!this.last) return { start, end, reverse };
    return reverse ? { start, end: this.last, reverse } : { start: Buffer.concat([this.last, ZERO]), end, reverse };
  }

  private readDocuments(max: number): Entry[] {
    const entries: Entry[] = [];
    const from = this.collection.prefix.length;
    for (const { key, value } of this.collection.documents.range({ ...this.rest(), limit: max })) {
      entries.push({ id: key.subarray(from), key, raw: value });
    }
    return entries;
  }

  private readIndex(max: number): Entry[] {
    const entries: Entry[] = [];
    for (const { key, value } of this.store.range({ ...this.rest(), limit: max }))
      entries.push({ id: this.collection.idOf(key, value), key });
    return entries;
  }
}

const ZERO = Buffer.alloc(1);

/** Ranges one after the other. */
class ChainSource implements EntrySource {
  private readonly sources: EntrySource[];

  constructor(sources: EntrySource[], reverse: boolean) {
    this.sources = reverse ? sources.toReversed() : [...sources];
  }

  next(max: number): Entry[] {
    for (let source = this.sources[0]; source; source = this.sources[0]) {
      const entries = source.next(max);
      if (entries.length > 0) return entries;
      this.sources.shift();
    }
    return [];
  }
}

/** Ranges that are each in order, merged by the part of their keys that holds the order. */
class MergeSource implements EntrySource {
  private readonly heads: { source: RangeSource; buffer: Entry[]; at: number }[];

  constructor(
    sources: RangeSource[],
    private readonly reverse: boolean,
  ) {
    this.heads = sources.map((source) => ({ source, buffer: [], at: 0 }));
  }

  next(max: number): Entry[] {
    const out: Entry[] = [];
    while (out.length < max) {
      const entry = this.smallest(Math.min(max, 64));
      if (!entry) break;
      out.push(entry);
    }
    return out;
  }

  private smallest(step: number): Entry | undefined {
    let best: { buffer: Entry[]; at: number; source: RangeSource } | undefined;
    for (const head of this.heads) {
      if (head.at >= head.buffer.length) {
        head.buffer = head.source.next(step);
        head.at = 0;
      }
      if (head.buffer.length === 0) continue;
      if (!best || this.order(head, best) < 0) best = head;
    }
    return best?.buffer[best.at++];
  }

  private order(
    a: { buffer: Entry[]; at: number; source: RangeSource },
    b: { buffer: Entry[]; at: number; source: RangeSource },
  ): number {
    const left = (a.buffer[a.at] as Entry).key;
    const right = (b.buffer[b.at] as Entry).key;
    const order = left.compare(right, b.source.range.orderAt, right.length, a.source.range.orderAt, left.length);
    return this.reverse ? -order : order;
  }
}
