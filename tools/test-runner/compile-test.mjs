import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import swc from '@swc/core';

const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/herald-tests/', import.meta.url));

/** Types and decorators as tsconfig.base.json has them, without the plugin that documents the API. */
const OPTIONS = {
  configFile: false,
  swcrc: false,
  sourceMaps: true,
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
  module: { type: 'es6' },
};
const VERSION = `${swc.version} ${JSON.stringify(OPTIONS)}`;

/** Compiles a TypeScript file once for all processes and runs: its name and its content name the result. */
export function compile(path) {
  const source = readFileSync(path, 'utf8');
  const file = cachedFile(path, source);
  try {
    return readFileSync(file, 'utf8');
  } catch {
    const { code, map } = swc.transformSync(source, { ...OPTIONS, filename: basename(path) });
    mkdirSync(FOLDER, { recursive: true });
    replace(`${file}.map`, map);
    replace(file, code);
    return code;
  }
}

/** The file of the source map of a TypeScript file that was compiled. */
export const sourceMapOf = (path) => `${cachedFile(path, readFileSync(path, 'utf8'))}.map`;

function cachedFile(path, source) {
  const digest = createHash('sha1')
    .update(`${VERSION}\0${basename(path)}\0`)
    .update(source)
    .digest('hex');
  return join(FOLDER, `${digest}.js`);
}

/** Another process may read the file at the same time. */
function replace(file, text) {
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, file);
}
