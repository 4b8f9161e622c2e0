import { statfsSync } from 'node:fs';
import { StoreError } from '../errors.js';

/**
 * With less free space nothing is written. LMDB 3.5 describes a write that the disk refuses in a buffer that is too short, so a full
 * disk damages the memory of the process.
 */
export const RESERVED_BYTES = 32 * 1024 * 1024;

export function freeBytesAt(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}

/** LMDB reports a full disk as a short write, which looks like any input/output error. */
export function asStoreError(cause: unknown, freeBytes: number): StoreError {
  const message = `the write could not be stored: ${cause instanceof Error ? cause.message : String(cause)}`;
  if (freeBytes >= RESERVED_BYTES && !/MDB_MAP_FULL|No space left/i.test(message))
    return new StoreError('InternalError', message);
  return outOfSpace(message);
}

export function outOfSpace(message: string): StoreError {
  return new StoreError('OutOfDiskSpace', `${message}; the disk is full: free some space and try again`);
}
