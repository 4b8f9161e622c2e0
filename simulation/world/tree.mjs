import { Buffer } from 'node:buffer';

const text = (key) => key.toString('latin1');

/**
 * The ordered bytes of the embedded store in memory: as much of LMDB as the store uses. A transaction is on the disk when it has ended;
 * one that throws leaves nothing.
 */
export class MemoryTree {
  keys = [];
  values = new Map();
  changes = 0;
  flushed = Promise.resolve();
  undo;

  /** First place whose key is not below this one, or is above it. */
  place(key, isAbove = false) {
    let low = 0;
    let high = this.keys.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.keys[middle] < key || (isAbove && this.keys[middle] === key)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  of(at) {
    return at?.transaction?.tree ?? this;
  }

  get(key, at) {
    const value = this.of(at).values.get(text(key));
    return value === undefined ? undefined : Buffer.from(value);
  }

  doesExist(key, value, at) {
    return this.of(at).values.has(text(key));
  }

  putSync(key, value, { noOverwrite = false } = {}) {
    const name = text(key);
    const before = this.values.get(name);
    if (before !== undefined && noOverwrite) return false;
    this.undo?.push([name, before]);
    this.set(name, Buffer.from(value));
    return true;
  }

  removeSync(key) {
    const name = text(key);
    const before = this.values.get(name);
    if (before === undefined) return false;
    this.undo?.push([name, before]);
    this.set(name, undefined);
    return true;
  }

  set(name, value) {
    const isKnown = this.values.has(name);
    if (value !== undefined) {
      this.values.set(name, value);
      if (isKnown) return;
    } else if (!this.values.delete(name)) return;
    this.changes += 1;
    if (value === undefined) this.keys.splice(this.place(name), 1);
    else this.keys.splice(this.place(name), 0, name);
  }

  transactionSync(work) {
    this.undo = [];
    try {
      return work();
    } catch (error) {
      for (const [name, value] of this.undo.reverse()) this.set(name, value);
      throw error;
    } finally {
      this.undo = undefined;
    }
  }

  *names({
    start,
    end,
    reverse = false,
    limit = Infinity,
    offset = 0,
    exclusiveStart = false,
    inclusiveEnd = false,
    transaction,
  } = {}) {
    const tree = this.of({ transaction });
    const [first, last] = [start, end].map((key) => key && text(key));
    const isOver = (name) => (name === last ? !inclusiveEnd : last !== undefined && name < last === reverse);
    let place = reverse ? tree.keys.length - 1 : 0;
    if (first !== undefined)
      place = reverse ? tree.place(first, !exclusiveStart) - 1 : tree.place(first, exclusiveStart);
    for (let passed = 0; passed < offset + limit; passed += 1) {
      const name = tree.keys[place];
      if (name === undefined || isOver(name)) return;
      const { changes } = tree;
      if (passed >= offset) yield name;
      if (tree.changes === changes) place += reverse ? -1 : 1;
      else place = reverse ? tree.place(name) - 1 : tree.place(name, true);
    }
  }

  *getKeys(options) {
    for (const name of this.names(options)) yield Buffer.from(name, 'latin1');
  }

  *getRange(options) {
    const tree = this.of(options);
    for (const name of this.names(options))
      yield { key: Buffer.from(name, 'latin1'), value: Buffer.from(tree.values.get(name)) };
  }

  getKeysCount({ start, end, transaction }) {
    const tree = this.of({ transaction });
    return Math.max(0, tree.place(text(end)) - tree.place(text(start)));
  }

  copy() {
    const tree = new MemoryTree();
    tree.keys = [...this.keys];
    tree.values = new Map(this.values);
    return tree;
  }

  useReadTransaction() {
    return { tree: this.copy(), done: () => undefined };
  }

  openDB = () => this;
  getStats = () => ({ entryCount: this.values.size });
  close = () => Promise.resolve();
}
