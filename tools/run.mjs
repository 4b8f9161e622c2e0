import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, ROOT } from './build.mjs';

// node tools/run.mjs <program below dist> [arguments]: builds it if stale, then runs it in this process.
const [program, ...args] = process.argv.slice(2);
process.chdir(ROOT);
ensureBuilt('run');
const path = join(ROOT, 'dist', program);
process.argv = [process.argv[0], path, ...args];
await import(pathToFileURL(path).href);
