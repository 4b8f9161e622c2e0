import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';

/* global HERALD_BUILD -- replaced by tools/bundle.mjs: names the content of the program */

/** The folder of the bundle. */
const HERE = dirname(fileURLToPath(import.meta.url));
const SUFFIX = '.code-cache';
const PROGRAM = join(HERE, 'herald.cjs');
/** The part that is the API. */
const START = 'start';

/**
 * V8 compares only the length of a source with that of its cached code, so the name has to tell programs apart. Two versions of Node can
 * have one V8, and crash on the code of each other.
 */
const cacheFile = (part) =>
  join(HERE, `${HERALD_BUILD}-${process.version}-${cachedDataVersionTag().toString(16)}.${part}${SUFFIX}`);

/**
 * Evaluates the joined program (src/bootstrap/joined-program.ts) with the compiled code that an earlier start has kept (ADR 42). The folder may be
 * read-only and the cache of another Node, another processor or missing: the program is compiled then.
 * @param part of the program that will run; each has a cache of its own
 */
export function loadJoinedProgram(part = START) {
  return (loaded ??= evaluate(part));
}

let loaded;

function evaluate(part) {
  const script = new Script(
    `(function (exports, require, module, __filename, __dirname, heraldImport) {${readFileSync(PROGRAM, 'latin1')}\n})`,
    { filename: PROGRAM, cachedData: readCache(part) },
  );
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(PROGRAM), module, PROGRAM, HERE, (url) => import(url));
  return { script, program: module.exports };
}

function readCache(part) {
  try {
    return readFileSync(cacheFile(part));
  } catch {
    return undefined;
  }
}

/** Keeps the compiled code of what has run so far, for later starts. */
export function keepCache(script, part = START) {
  // Another process of a group has kept more: the supervisor runs a small part of the program only.
  if (script.cachedDataRejected === undefined && readCache(part) !== undefined) return;
  try {
    const isOld = (name) => name.endsWith(`.${part}${SUFFIX}`) || !name.startsWith(`${HERALD_BUILD}-`);
    for (const name of readdirSync(HERE))
      if (name.endsWith(SUFFIX) && isOld(name)) rmSync(join(HERE, name), { force: true });
    const cache = cacheFile(part);
    const written = `${cache}.${process.pid}`;
    writeFileSync(written, script.createCachedData(), { flush: true });
    renameSync(written, cache);
  } catch {
    // Read-only or full: the next start compiles again.
  }
}
