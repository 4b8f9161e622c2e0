import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { cachedDataVersionTag, setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';

/* global HERALD_BUILD -- replaced by tools/bundle.mjs: names the content of the program */

// The young generation would grow to its largest size while everything that stays is loaded, and an idle process would keep
// that memory (20 MB). Set before the code is read, because V8 keeps code with the flags that it was compiled under.
setFlagsFromString('--semi-space-growth-factor=1');

const HERE = dirname(fileURLToPath(import.meta.url));
const PROGRAM = join(HERE, 'herald.cjs');
const SUFFIX = '.code-cache';
/** V8 compares only the length of a source with that of its cached code, so the name has to tell programs apart. */
const CACHE = join(HERE, `${HERALD_BUILD}-${cachedDataVersionTag().toString(16)}${SUFFIX}`);

// Plugins share the modules of Herald, which a joined program does not have (ADR 63).
if (existsSync('.env')) process.loadEnvFile('.env');
if (process.env.HERALD_PLUGINS) await import(pathToFileURL(join(HERE, '..', 'src', 'main.js')).href);
else await runJoinedProgram();

/**
 * Runs the joined program with the compiled code that an earlier start has kept (ADR 42). The folder may be read-only and the
 * cache of another Node, another processor or missing: the program is compiled then.
 */
async function runJoinedProgram() {
  const script = new Script(
    `(function (exports, require, module, __filename, __dirname) {${readFileSync(PROGRAM, 'latin1')}\n})`,
    { filename: PROGRAM, cachedData: readCache() },
  );
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(PROGRAM), module, PROGRAM, HERE);
  await module.exports.started;
  // Only now, because the cache holds the functions that have run so far.
  if (script.cachedDataRejected !== false && !process.exitCode) keepCache(script);
  setFlagsFromString('--semi-space-growth-factor=2');
}

function readCache() {
  try {
    return readFileSync(CACHE);
  } catch {
    return undefined;
  }
}

function keepCache(script) {
  // Another process of a group has kept more: the supervisor runs a small part of the program only.
  if (script.cachedDataRejected === undefined && readCache() !== undefined) return;
  try {
    for (const name of readdirSync(HERE)) if (name.endsWith(SUFFIX)) rmSync(join(HERE, name), { force: true });
    const written = `${CACHE}.${process.pid}`;
    writeFileSync(written, script.createCachedData(), { flush: true });
    renameSync(written, CACHE);
  } catch {
    // Read-only or full: the next start compiles again.
  }
}
