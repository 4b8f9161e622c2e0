import { decode, encode, isDoc, wrap, type Doc } from '../bson/codec.js';
import { FieldLocator } from '../bson/fields.js';
import { isNumeric } from '../bson/numbers.js';
import { isTrue } from '../bson/values.js';
import type { Node } from './ast.js';
import { compileProjection } from './projection.js';

export type StoredProjection = (raw: Buffer) => Buffer;

/** The projection of a `find` on stored documents: whole fields are copied, everything else is computed from the decoded document. */
export function compileStoredProjection(spec: unknown, variables: Doc, filter: Node): StoredProjection | undefined {
  const projection = compileProjection(spec, variables, true, filter);
  if (!projection) return undefined;
  return copying(spec as Doc) ?? ((raw) => encode(projection(decode(raw))));
}

/** For a projection that keeps, or leaves out, some top-level fields as they are. */
function copying(spec: Doc): StoredProjection | undefined {
  const names: string[] = [];
  let inclusive: boolean | undefined;
  let id: boolean | undefined;
  for (const [name, value] of Object.entries(spec)) {
    if (isDoc(value) || name.includes('.') || !(isNumeric(value) || typeof value === 'boolean')) return undefined;
    if (name === '_id') id = isTrue(value);
    else {
      inclusive = isTrue(value);
      names.push(name);
    }
  }
  if (inclusive ?? id) return keeping(id === false ? names : ['_id', ...names]);
  return leavingOut(id === false ? ['_id', ...names] : names);
}

/** Fields keep the order of the document, not of the projection. */
function keeping(names: string[]): StoredProjection {
  const located = new FieldLocator(names);
  return (raw) => {
    located.locate(raw);
    return wrap(located.inOrder().map((slot) => raw.subarray(located.starts[slot], located.ends[slot])));
  };
}

function leavingOut(names: string[]): StoredProjection {
  const located = new FieldLocator(names);
  return (raw) => {
    const parts: Buffer[] = [];
    let from = 4;
    located.locate(raw);
    for (const slot of located.inOrder()) {
      parts.push(raw.subarray(from, located.starts[slot]));
      from = located.ends[slot] as number;
    }
    parts.push(raw.subarray(from, raw.length - 1));
    return wrap(parts);
  };
}
