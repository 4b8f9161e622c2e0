import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Doc } from '../bson/codec.js';
import { StoreError } from '../errors.js';
import type { Context, Request } from './context.js';

/** Snapshots that nobody took: their client was killed. */
const LEFT_BEHIND_MS = 24 * 60 * 60 * 1000;

/**
 * Writes a consistent copy of all data into a new folder below the data directory while reads and writes go on. The
 * client names no path, so that it cannot have files written elsewhere; it moves the copy to where it belongs.
 * @returns `directory`, which holds a `data.mdb`
 */
export async function snapshot({ engine }: Context, { db }: Request): Promise<Doc> {
  if (db !== 'admin') throw new StoreError('Unauthorized', 'snapshot may only be run against the admin database.');
  const parent = join(engine.directory, 'snapshots');
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(parent)) {
    const path = join(parent, name);
    if (Date.now() - statSync(path).mtimeMs > LEFT_BEHIND_MS) rmSync(path, { recursive: true, force: true });
  }
  const directory = join(parent, randomUUID());
  mkdirSync(directory, { mode: 0o700 });
  try {
    await engine.copyTo(directory);
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
  return { directory };
}
