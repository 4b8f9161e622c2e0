import { mongo } from 'mongoose';

/** True where the store could not be asked, or asks to try again: nothing is wrong with what it was sent. */
export function isStoreAway(error: unknown): boolean {
  if (!(error instanceof mongo.MongoError) || error instanceof mongo.MongoInvalidArgumentError) return false;
  return !(error instanceof mongo.MongoServerError) || error.hasErrorLabel('RetryableWriteError');
}
