import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { open } from 'lmdb';
import { RAW_FORMAT } from './buffer-pool.js';

export const DATA_FILE = 'data.mdb';

/**
 * Creates the data file of a new store. It gets its name when it has content, so one without content has lost it.
 * @throws if the file is empty
 */
export async function prepareDataFile(directory: string): Promise<void> {
  const file = join(directory, DATA_FILE);
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === 0) throw new Error(`${file} is empty: restore a backup, or remove the file to begin a new store`);
  if (size !== undefined) return;
  const draft = join(directory, 'beginning');
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  await open({ path: draft, ...RAW_FORMAT, encoding: 'binary' }).close();
  renameSync(join(draft, DATA_FILE), file);
  rmSync(draft, { recursive: true, force: true });
}

/** LMDB makes its files readable to every user, and so would be a copy of their folder. */
export function restrictToOwner(directory: string): void {
  for (const name of ['data.mdb', 'lock.mdb']) {
    const file = join(directory, name);
    if (existsSync(file)) chmodSync(file, 0o600);
  }
}
