import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, 'dist', 'plugin-types');
const ENTRY = 'src/plugin-api/index';

/**
 * Writes the types of `herald/plugin`: the declarations of its entry point and of everything that they name.
 * @returns {number} of files
 */
export function writePluginTypes() {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.app.json'), (path) => readFileSync(path, 'utf8'));
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const program = ts.createProgram([join(ROOT, `${ENTRY}.ts`)], {
    ...options,
    outDir: OUT,
    declaration: true,
    emitDeclarationOnly: true,
    sourceMap: false,
  });
  const declarations = new Map();
  program.emit(undefined, (path, text) => declarations.set(path, withPathsOfLibraries(path, text)));
  rmSync(OUT, { recursive: true, force: true });
  const needed = neededBy(join(OUT, `${ENTRY}.d.ts`), declarations);
  for (const path of needed) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, declarations.get(path));
  }
  return needed.size;
}

/** The file and all that its declarations lead to. The sources import more than that. */
function neededBy(path, declarations, found = new Set()) {
  if (found.has(path)) return found;
  found.add(path);
  for (const { fileName } of ts.preProcessFile(declarations.get(path)).importedFiles) {
    if (fileName.startsWith('.'))
      neededBy(join(dirname(path), fileName.replace(/\.js$/, '.d.ts')), declarations, found);
  }
  return found;
}

function withPathsOfLibraries(path, text) {
  return text.replaceAll(/(['"])#libs\/([a-z-]+)\1/g, (_match, _quote, lib) => `'${libraryFrom(path, lib)}'`);
}

/** Libraries are named by a path, because the types behind `#libs` are those of the sources. */
function libraryFrom(path, lib) {
  const target = relative(dirname(path), join(OUT, 'libs', lib, 'src', 'index.js'));
  return target.startsWith('.') ? target : `./${target}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(`${relative(ROOT, OUT)}: ${writePluginTypes()} files written`);
}
