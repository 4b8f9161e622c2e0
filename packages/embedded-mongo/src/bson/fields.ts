import { malformed, valueEnd } from './codec.js';

/** What {@link resolve} gives for a path that no field answers, and for one that leads into an array. */
export const MISSING = 0;
export const THROUGH_ARRAY = -1;

const DOCUMENT = 0x03;
const ARRAY = 0x04;

interface Wanted {
  name: Buffer;
  slot: number;
}

/** Finds some top-level fields of stored documents without decoding anything, all of them in one pass. */
export class FieldLocator {
  /** By position in `names`: the BSON type, or {@link MISSING}. Valid until the next call of {@link locate}, as are the others. */
  readonly types: Uint8Array;
  readonly starts: Int32Array;
  readonly values: Int32Array;
  readonly ends: Int32Array;
  private readonly byHash = new Map<number, Wanted[]>();

  constructor(readonly names: readonly string[]) {
    this.types = new Uint8Array(names.length);
    this.starts = new Int32Array(names.length);
    this.values = new Int32Array(names.length);
    this.ends = new Int32Array(names.length);
    names.forEach((text, slot) => {
      const name = Buffer.from(text);
      const hash = hashOf(name);
      this.byHash.set(hash, [...(this.byHash.get(hash) ?? []), { name, slot }]);
    });
  }

  slotOf(name: string): number {
    return this.names.indexOf(name);
  }

  /** The document has been validated: it was stored, or {@link validate} has accepted it. */
  locate(raw: Buffer): void {
    this.types.fill(MISSING);
    const end = raw.readInt32LE(0) - 1;
    let left = this.names.length;
    let start = 4;
    while (start < end && left > 0) {
      const type = raw[start] as number;
      let hash = 0;
      let at = start + 1;
      for (let byte = raw[at] as number; byte !== 0; byte = raw[++at] as number) hash = (hash * 31 + byte) | 0;
      const value = at + 1;
      const next = valueEnd(raw, type, value, end);
      const slot = this.match(hash, raw, start + 1, at);
      if (slot >= 0 && this.types[slot] === MISSING) {
        this.types[slot] = type;
        this.starts[slot] = start;
        this.values[slot] = value;
        this.ends[slot] = next;
        left--;
      }
      start = next;
    }
  }

  /** Positions of the names that the document has, as their fields follow one another. */
  inOrder(): number[] {
    const found: number[] = [];
    for (let slot = 0; slot < this.names.length; slot++) if (this.types[slot] !== MISSING) found.push(slot);
    return found.sort((a, b) => (this.starts[a] as number) - (this.starts[b] as number));
  }

  private match(hash: number, raw: Buffer, from: number, to: number): number {
    const wanted = this.byHash.get(hash);
    if (wanted === undefined) return -1;
    for (const { name, slot } of wanted) if (sameBytes(name, raw, from, to)) return slot;
    return -1;
  }
}

function hashOf(name: Buffer): number {
  let hash = 0;
  for (const byte of name) hash = (hash * 31 + byte) | 0;
  return hash;
}

function sameBytes(name: Buffer, raw: Buffer, from: number, to: number): boolean {
  if (name.length !== to - from) return false;
  for (let i = 0; i < name.length; i++) if (name[i] !== raw[from + i]) return false;
  return true;
}

/** True if a field has the same type and value in two documents, or is missing in both. */
export function sameField(slot: number, a: Buffer, inA: FieldLocator, b: Buffer, inB: FieldLocator): boolean {
  const type = inA.types[slot];
  if (type !== inB.types[slot]) return false;
  if (type === MISSING) return true;
  const [from, to] = [inA.values[slot] as number, inA.ends[slot] as number];
  const [start, end] = [inB.values[slot] as number, inB.ends[slot] as number];
  return to - from === end - start && a.compare(b, start, end, from, to) === 0;
}

/** Where the value lies that a dotted path reaches. */
export class Place {
  type: number = MISSING;
  at = 0;
}

/** Follows a path from its first field, which a locator has found, through documents inside documents. */
export function resolve(raw: Buffer, located: FieldLocator, slot: number, parts: readonly Buffer[], to: Place): void {
  to.type = located.types[slot] as number;
  to.at = located.values[slot] as number;
  for (let depth = 1; depth < parts.length; depth++) {
    if (to.type === ARRAY) to.type = THROUGH_ARRAY;
    else if (to.type === DOCUMENT) child(raw, parts[depth] as Buffer, to);
    else to.type = MISSING;
    if (to.type <= MISSING) return;
  }
}

function child(raw: Buffer, name: Buffer, place: Place): void {
  const end = place.at + raw.readInt32LE(place.at) - 1;
  let start = place.at + 4;
  place.type = MISSING;
  while (start < end) {
    const type = raw[start] as number;
    const nameEnd = raw.indexOf(0, start + 1);
    if (nameEnd < 0) throw malformed('unterminated field name');
    if (sameBytes(name, raw, start + 1, nameEnd)) {
      place.type = type;
      place.at = nameEnd + 1;
      return;
    }
    start = valueEnd(raw, type, nameEnd + 1, end);
  }
}

/** Goes from an array with one item to that item. @returns false for anything else */
export function toOnlyItem(raw: Buffer, place: Place): boolean {
  if (place.type !== ARRAY) return false;
  const end = place.at + raw.readInt32LE(place.at) - 1;
  const first = place.at + 4;
  if (first >= end) return false;
  const type = raw[first] as number;
  const value = raw.indexOf(0, first + 1) + 1;
  if (valueEnd(raw, type, value, end) !== end) return false;
  place.type = type;
  place.at = value;
  return true;
}

/** Goes through the documents of an array: to a field of each in turn. @returns whether `visit` has ended it with true */
export function someItem(raw: Buffer, array: number, name: Buffer, place: Place, visit: () => boolean): boolean {
  const end = array + raw.readInt32LE(array) - 1;
  let start = array + 4;
  while (start < end) {
    const type = raw[start] as number;
    const value = raw.indexOf(0, start + 1) + 1;
    if (type === DOCUMENT) {
      place.at = value;
      child(raw, name, place);
      if (visit()) return true;
    }
    start = valueEnd(raw, type, value, end);
  }
  return false;
}
