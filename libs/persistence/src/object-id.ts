import { Types } from 'mongoose';

/** A 24-hex text, the only form of record ids on the wire. */
export const OBJECT_ID_PATTERN = /^[0-9a-fA-F]{24}$/;

export function isObjectId(text: unknown): text is string {
  return typeof text === 'string' && OBJECT_ID_PATTERN.test(text);
}

/** For pipelines and raw collection calls, which Mongoose does not cast. */
export function toObjectId(text: string): Types.ObjectId {
  return new Types.ObjectId(text);
}
