import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a directory that only its owner may read, and its parents. Unlike Node's own recursive form it fails where the
 * parent is there and takes no directories, as in `/proc`, in which that form never ends.
 */
export function createDirectory(directory: string): void {
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'EEXIST' && statSync(directory).isDirectory()) return;
    const parent = dirname(directory);
    if (code !== 'ENOENT' || existsSync(parent)) throw error;
    createDirectory(parent);
    mkdirSync(directory, { mode: 0o700 });
  }
}
