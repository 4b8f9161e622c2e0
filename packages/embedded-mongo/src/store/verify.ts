import { decode } from '../bson/codec.js';
import { after, encodeId } from '../bson/keys.js';
import { hasChecksum, unsealedDocument } from './checksum.js';
import type { Collection } from './collection.js';
import { CHANGED, idText, placeOf } from './damage.js';
import type { Engine } from './engine.js';
import type { Index } from './index.js';
import type { Entry } from './ranges.js';

export interface VerifyTotals {
  collections: number;
  documents: number;
  entries: number;
  /** Documents that an earlier version stored, which have no checksum until they change. */
  unsealed: number;
}

export interface VerifyListener {
  damage(sentence: string): void;
  progress(ns: string, done: number, of: number): void;
}

const REPORT_EVERY = 10_000;
/** Pages that lead to one another in a circle would never end. */
const MOST_OUT_OF_ORDER = 10;

/** Reads every document and every index entry, and looks for each from the other. It does so in one turn, and sees one state of the store. */
export function verify(engine: Engine, listener: VerifyListener): VerifyTotals {
  const totals: VerifyTotals = { collections: 0, documents: 0, entries: 0, unsealed: 0 };
  for (const collection of engine.list()) {
    totals.collections++;
    new Verification(engine, collection, listener, totals).run();
  }
  return totals;
}

class Verification {
  /** Entries that the documents have, by index. */
  private readonly expected: number[];
  private isWhole = true;
  private done = 0;

  constructor(
    private readonly engine: Engine,
    private readonly collection: Collection,
    private readonly listener: VerifyListener,
    private readonly totals: VerifyTotals,
  ) {
    this.expected = collection.indexes.map(() => 0);
  }

  run(): void {
    const { collection } = this;
    const { ns } = collection;
    this.listener.progress(ns, 0, collection.count);
    let [count, bytes] = [0, 0];
    this.each(
      `the documents of ${ns}`,
      collection.prefix,
      this.engine.documentsOf(collection.record.id),
      ({ key, value }) => {
        count++;
        const raw = this.checkDocument(key, value);
        if (raw) bytes += raw.length;
        else this.isWhole = false;
      },
    );
    this.totals.documents += count;
    if (count !== collection.count) this.tell(`${ns} has ${count} documents and counts ${collection.count}`);
    else if (this.isWhole && bytes !== collection.bytes)
      this.tell(`the documents of ${ns} have ${bytes} bytes in all, and it counts ${collection.bytes}`);
    for (const [at, index] of collection.indexes.entries()) this.checkIndex(index, this.expected[at] as number);
  }

  private tell(sentence: string): void {
    this.listener.damage(`${sentence}.`);
  }

  /** @returns its bytes if they are as they were stored */
  private checkDocument(key: Buffer, stored: Buffer): Buffer | undefined {
    const { collection, engine } = this;
    const id = key.subarray(collection.prefix.length);
    const name = `the document with _id ${idText(id)} of ${collection.ns}`;
    const raw = unsealedDocument(key, stored);
    if (!raw || !hasId(raw, id)) {
      this.tell(`${name} ${CHANGED}`);
      return undefined;
    }
    if (!hasChecksum(stored)) this.totals.unsealed++;
    for (const [at, keys] of collection.entriesOf(id, raw).entries()) {
      this.expected[at] = (this.expected[at] as number) + keys.length;
      const leadsHere = (entry: Buffer): boolean => {
        const value = engine.get(entry);
        return value !== undefined && (this.idOf(entry, value)?.equals(id) ?? true);
      };
      if (!keys.every(leadsHere))
        this.tell(`${name} is missing in the index ${(collection.indexes[at] as Index).name}`);
    }
    return raw;
  }

  private checkIndex(index: Index, expected: number): void {
    const { collection } = this;
    let count = 0;
    let isWhole = true;
    const what = `the index ${index.name} of ${collection.ns}`;
    this.each(what, index.prefix, this.engine, ({ key, value }) => {
      count++;
      const id = this.idOf(key, value);
      const fault = !id ? CHANGED : this.engine.has(collection.keyOf(id)) ? undefined : 'leads to no document';
      if (fault === undefined) return;
      isWhole = false;
      this.tell(`${placeOf(key, [collection])} ${fault}`);
    });
    this.totals.entries += count;
    if (isWhole && this.isWhole && count !== expected)
      this.tell(`${what} has ${count} entries, and its documents have ${expected}`);
  }

  /** Undefined if the entry is damaged. */
  private idOf(key: Buffer, value: Buffer): Buffer | undefined {
    try {
      return this.collection.idOf(key, value);
    } catch {
      return undefined;
    }
  }

  /** Goes on after damage wherever that can be told. */
  private each(what: string, prefix: Buffer, source: { walk: Engine['walk'] }, look: (entry: Entry) => void): void {
    let last: Buffer | undefined;
    let disorder = 0;
    try {
      for (const entry of source.walk({ start: prefix, end: after(prefix) })) {
        const { key } = entry;
        if (last ? key.compare(last) <= 0 : key.compare(prefix) < 0) {
          this.isWhole = false;
          disorder++;
          this.tell(`${placeOf(key, this.engine.list())} is out of order among ${what}`);
          if (disorder === MOST_OUT_OF_ORDER) return this.tell(`the rest of ${what} was not examined`);
        } else look(entry);
        last = key;
        if (++this.done % REPORT_EVERY === 0) this.report();
      }
    } catch (error) {
      this.isWhole = false;
      this.tell(`${what} cannot be read to their end: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  private report(): void {
    const { ns, count, indexes } = this.collection;
    this.listener.progress(ns, this.done, count * (indexes.length + 1));
  }
}

/** Documents of earlier versions have no checksum, which tells that a document lies under the key of another one. */
function hasId(raw: Buffer, id: Buffer): boolean {
  try {
    return encodeId(decode(raw)._id).bytes.equals(id);
  } catch {
    return false;
  }
}
