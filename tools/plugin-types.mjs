import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ENTRY = join(ROOT, 'src/plugin-api/index.ts');

/**
 * Writes the types of `herald/plugin` into `dist`: the declarations of its entry point and of everything that it names.
 * @returns {number} of files
 */
export function writePluginTypes() {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.app.json'), (path) => readFileSync(path, 'utf8'));
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const program = ts.createProgram([ENTRY], { ...options, declaration: true, emitDeclarationOnly: true, sourceMap: false });
  let count = 0;
  program.emit(undefined, (path, text) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text.replaceAll(/(['"])#libs\/([a-z-]+)\1/g, (_match, _quote, lib) => `'${libraryFrom(path, lib)}'`));
    count += 1;
  });
  return count;
}

/** Libraries are named by a path, because the types behind `#libs` are those of the sources. */
function libraryFrom(path, lib) {
  const target = relative(dirname(path), join(ROOT, 'dist', 'libs', lib, 'src', 'index.js'));
  return target.startsWith('.') ? target : `./${target}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(`dist/src/plugin-api/index.d.ts: ${writePluginTypes()} files written`);
}
