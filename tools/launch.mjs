import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { cacheFile, HERE, loadJoinedProgram, readCache, SUFFIX } from './joined-program.mjs';

// The young generation would grow to its largest size while everything that stays is loaded, and an idle process would keep
// that memory (20 MB). Set before the code is read, because V8 keeps code with the flags that it was compiled under.
setFlagsFromString('--semi-space-growth-factor=1');

const { script, program } = loadJoinedProgram();
await program.run();
// Only now, because the cache holds the functions that have run so far.
if (script.cachedDataRejected !== false && !process.exitCode) keepCache();
setFlagsFromString('--semi-space-growth-factor=2');

function keepCache() {
  // Another process of a group has kept more: the supervisor runs a small part of the program only.
  if (script.cachedDataRejected === undefined && readCache() !== undefined) return;
  try {
    for (const name of readdirSync(HERE)) if (name.endsWith(SUFFIX)) rmSync(join(HERE, name), { force: true });
    const cache = cacheFile();
    const written = `${cache}.${process.pid}`;
    writeFileSync(written, script.createCachedData(), { flush: true });
    renameSync(written, cache);
  } catch {
    // Read-only or full: the next start compiles again.
  }
}
