import { decode, encode, validate, wrap, type Doc } from '../bson/codec.js';
import { FieldLocator, MISSING } from '../bson/fields.js';

/** Applies an update to the top-level fields that it may change; every other field keeps its bytes and its place. */
export class StoredUpdate {
  private readonly before: FieldLocator;
  private readonly after: FieldLocator;

  /**
   * @param names the fields that the update may read or change
   * @param apply the update on a document of these fields
   */
  constructor(
    names: readonly string[],
    private readonly apply: (doc: Doc) => Doc,
  ) {
    this.before = new FieldLocator(names);
    this.after = new FieldLocator(names);
  }

  run(raw: Buffer): Buffer {
    const { before, after } = this;
    before.locate(raw);
    const present = before.inOrder();
    const part = encode(this.apply(decode(wrap(present.map((slot) => element(raw, before, slot))))));
    validate(part);
    after.locate(part);
    const pieces: Buffer[] = [];
    let from = 4;
    for (const slot of present) {
      pieces.push(raw.subarray(from, before.starts[slot]));
      if (after.types[slot] !== MISSING) pieces.push(element(part, after, slot));
      from = before.ends[slot] as number;
    }
    pieces.push(raw.subarray(from, raw.length - 1));
    for (const slot of after.inOrder()) if (before.types[slot] === MISSING) pieces.push(element(part, after, slot));
    return wrap(pieces);
  }
}

const element = (raw: Buffer, located: FieldLocator, slot: number): Buffer =>
  raw.subarray(located.starts[slot], located.ends[slot]);
