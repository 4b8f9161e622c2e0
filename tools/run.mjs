import { ensureBuilt, ROOT } from './build.mjs';

// node tools/run.mjs <program below dist> [arguments]: builds it if stale, then runs it in the folder of the clone.
process.chdir(ROOT);
ensureBuilt('run');
await import('./run-built.mjs');
