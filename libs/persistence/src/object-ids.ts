import { createHash } from 'node:crypto';
import { Types } from 'mongoose';
import { OBJECT_ID_PATTERN } from '#libs/common';

export function isObjectId(text: unknown): text is string {
  return typeof text === 'string' && OBJECT_ID_PATTERN.test(text);
}

/** For aggregation pipelines and raw collection calls, which Mongoose does not cast. */
export function toObjectId(text: string): Types.ObjectId {
  return new Types.ObjectId(text);
}

/**
 * The same id for the same parts, so that a repeated write creates no second record. It has the time of `parent`, see
 * {@link objectIdFrom}.
 */
export function derivedObjectId(parent: Types.ObjectId, ...parts: readonly string[]): Types.ObjectId {
  return objectIdFrom(parent, createHash('sha256').update(parent.id).update(JSON.stringify(parts)).digest());
}

/**
 * An id with the time of another (first four bytes), which keeps neighbours together in the index, and eight bytes of
 * a digest.
 */
export function objectIdFrom(time: Types.ObjectId, digest: Uint8Array): Types.ObjectId {
  const id = new Uint8Array(12);
  id.set(time.id.subarray(0, 4), 0);
  id.set(digest.subarray(0, 8), 4);
  return new Types.ObjectId(id);
}
