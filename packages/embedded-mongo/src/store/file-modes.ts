import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';

/** LMDB makes its files readable for everybody; so would be what a copy of their folder holds. */
export function closeToOthers(directory: string): void {
  for (const name of ['data.mdb', 'lock.mdb']) {
    const file = join(directory, name);
    if (existsSync(file)) chmodSync(file, 0o600);
  }
}
