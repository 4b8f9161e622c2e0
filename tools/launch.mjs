import { setFlagsFromString } from 'node:v8';
import { keepCache, loadJoinedProgram } from './joined-program.mjs';

// The young generation would grow to its largest size while everything that stays is loaded, and an idle process would keep
// that memory (20 MB). Set before the code is read, because V8 keeps code with the flags that it was compiled under.
setFlagsFromString('--semi-space-growth-factor=1');

const { script, program } = loadJoinedProgram();
await program.run();
// Only now, because the cache holds the functions that have run so far.
if (script.cachedDataRejected !== false && !process.exitCode) keepCache(script);
setFlagsFromString('--semi-space-growth-factor=2');
