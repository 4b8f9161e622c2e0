import { createHash } from 'node:crypto';
import { Types } from 'mongoose';

/**
 * An id that is always the same for the same parts, so that writing something again makes no second record. The first
 * four bytes are those of `parent` (its time), which keeps neighbours together in the index.
 */
export function derivedObjectId(parent: Types.ObjectId, ...parts: readonly string[]): Types.ObjectId {
  const digest = createHash('sha256').update(parent.id).update(JSON.stringify(parts)).digest();
  const id = new Uint8Array(12);
  id.set(parent.id.subarray(0, 4), 0);
  id.set(digest.subarray(0, 8), 4);
  return new Types.ObjectId(id);
}
