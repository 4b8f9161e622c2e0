import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';

/* global HERALD_BUILD -- replaced by tools/bundle.mjs: names the content of the program */

/** The folder of the bundle. */
export const HERE = dirname(fileURLToPath(import.meta.url));
export const SUFFIX = '.code-cache';
const PROGRAM = join(HERE, 'herald.cjs');

/** V8 compares only the length of a source with that of its cached code, so the name has to tell programs apart. */
export const cacheFile = () => join(HERE, `${HERALD_BUILD}-${cachedDataVersionTag().toString(16)}${SUFFIX}`);

/**
 * Evaluates the joined program (src/bootstrap/joined-program.ts) with the compiled code that an earlier start has kept (ADR 42). The folder may be
 * read-only and the cache of another Node, another processor or missing: the program is compiled then.
 */
export function loadJoinedProgram() {
  return (loaded ??= evaluate());
}

let loaded;

function evaluate() {
  const script = new Script(
    `(function (exports, require, module, __filename, __dirname, heraldImport) {${readFileSync(PROGRAM, 'latin1')}\n})`,
    { filename: PROGRAM, cachedData: readCache() },
  );
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(PROGRAM), module, PROGRAM, HERE, (url) => import(url));
  return { script, program: module.exports };
}

export function readCache() {
  try {
    return readFileSync(cacheFile());
  } catch {
    return undefined;
  }
}
