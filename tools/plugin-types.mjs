import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, 'dist', 'plugin-types');
const ENTRY = 'src/bootstrap/plugin-api/index';

/**
 * Writes the types of `herald/plugin`: the declarations of its entry point and of everything that they name. Names are imported from the
 * files that declare them, because an index file would lead to all of its library and to packages that plugins do not use.
 * @returns {number} of files
 */
export function writePluginTypes() {
  const declarations = declare();
  const written = new Map();
  const write = (path) => {
    if (written.has(path)) return;
    written.set(path, undefined);
    written.set(path, withDirectImports(path, declarations, write));
  };
  write(join(OUT, `${ENTRY}.d.ts`));
  rmSync(OUT, { recursive: true, force: true });
  for (const [path, text] of written) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return written.size;
}

/** Declarations by path, of the entry point and of all that its sources import. */
function declare() {
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
  program.emit(undefined, (path, text) => declarations.set(path, parse(path, text)));
  return declarations;
}

const parse = (path, text) => ts.createSourceFile(path, text, ts.ScriptTarget.Latest);

/** The text of a file, with one statement for each file that declares what it imports. */
function withDirectImports(path, declarations, use) {
  const file = declarations.get(path);
  let { text } = file;
  for (const statement of [...file.statements].reverse()) {
    const target = targetOf(path, statement);
    if (target === undefined) continue;
    const [start, end] = [statement.getStart(file), statement.end];
    text = `${text.slice(0, start)}${directly(path, statement, target, declarations, use)}${text.slice(end)}`;
  }
  return text;
}

/** The file that a statement imports or exports from; undefined for other statements and for packages. */
function targetOf(path, { moduleSpecifier }) {
  const [, library, relativePath] = /^(?:#libs\/(.+)|(\..+)\.js)$/.exec(moduleSpecifier?.text ?? '') ?? [];
  if (library !== undefined) return join(OUT, 'libs', library, 'src', 'index.d.ts');
  return relativePath && `${join(dirname(path), relativePath)}.d.ts`;
}

function directly(path, statement, target, declarations, use) {
  const names = namedElements(statement);
  if (names === undefined) throw new Error(`${path} must import the names of ${target} one by one.`);
  const isType = statement.importClause?.isTypeOnly ?? statement.isTypeOnly;
  const keyword = ts.isImportDeclaration(statement) ? 'import' : 'export';
  return names
    .map((element) => {
      const found = declarationOf(target, importedName(element), declarations);
      use(found.path);
      const alias = found.name === element.name.text ? found.name : `${found.name} as ${element.name.text}`;
      const specifier = relative(dirname(path), found.path)
        .replace(/^(?!\.)/, './')
        .replace(/\.d\.ts$/, '.js');
      return `${keyword} ${isType || element.isTypeOnly ? 'type ' : ''}{ ${alias} } from '${specifier}';`;
    })
    .join('\n');
}

/** Follows a name through the index files that export it from elsewhere. */
function declarationOf(path, name, declarations) {
  for (const statement of declarations.get(path).statements) {
    const target = ts.isExportDeclaration(statement) ? targetOf(path, statement) : undefined;
    const element = target && namedElements(statement)?.find((one) => one.name.text === name);
    if (element) return declarationOf(target, importedName(element), declarations);
  }
  return { path, name };
}

const namedElements = ({ importClause, exportClause }) => (importClause?.namedBindings ?? exportClause)?.elements;
const importedName = (element) => (element.propertyName ?? element.name).text;
