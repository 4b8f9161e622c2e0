import { setFlagsFromString } from 'node:v8';
import { keepCache, loadJoinedProgram } from './joined-program.mjs';

/**
 * While it loads, the young generation would grow to its largest size, and an idle process would keep that memory (20 MB). What runs
 * during a start runs once: to optimize it takes a fifth of the processor time of the start, and 13 MB (ADR 145).
 */
const WHILE_LOADING = ['--semi-space-growth-factor=1', '--no-opt'];
const WHILE_SERVING = ['--semi-space-growth-factor=2', '--opt'];
/** A start that takes longer has real work, such as a migration. */
const LONGEST_LOAD_MS = 5_000;

const setFlags = (flags) => flags.forEach(setFlagsFromString);

// Before the code is read, and again when it is kept, because V8 takes kept code only under the flags that it was kept with.
setFlags(WHILE_LOADING);
setTimeout(() => setFlags(WHILE_SERVING), LONGEST_LOAD_MS).unref();

const { script, program } = loadJoinedProgram();
await program.run();
// Only now, because the cache holds the functions that have run so far.
if (script.cachedDataRejected !== false && !process.exitCode) {
  setFlags(WHILE_LOADING);
  keepCache(script);
}
setFlags(WHILE_SERVING);
