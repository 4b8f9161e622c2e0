import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const MANIFEST = join(ROOT, 'package.json');
/** Below `dist`, so that the rename stays within one file system. */
export const ORIGINAL = join(ROOT, 'dist', 'package.json.original');

// Runs after `npm pack`: package.json is the one of the repository again.
if (process.argv[1] === fileURLToPath(import.meta.url) && existsSync(ORIGINAL)) renameSync(ORIGINAL, MANIFEST);
