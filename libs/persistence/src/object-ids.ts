import { createHash } from 'node:crypto';
import { Types } from 'mongoose';
import { OBJECT_ID_PATTERN } from '#libs/common';

export function isObjectId(text: unknown): text is string {
  return typeof text === 'string' && OBJECT_ID_PATTERN.test(text);
}

/** For pipelines and raw collection calls, which Mongoose does not cast. */
export function toObjectId(text: string): Types.ObjectId {
  return new Types.ObjectId(text);
}

/**
 * Deterministic, so that a repeated write creates no second record. Contains the time of `parent`, see
 * {@link objectIdFrom}.
 */
export function derivedObjectId(parent: Types.ObjectId, ...parts: readonly string[]): Types.ObjectId {
  return objectIdFrom(parent, createHash('sha256').update(parent.id).update(JSON.stringify(parts)).digest());
}

/** The first four bytes keep neighbours together in the index; the other eight are of the digest. */
export function objectIdFrom(time: Types.ObjectId, digest: Uint8Array): Types.ObjectId {
  const id = new Uint8Array(12);
  id.set(time.id.subarray(0, 4), 0);
  id.set(digest.subarray(0, 8), 4);
  return new Types.ObjectId(id);
}
