import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import ts from 'typescript';

/** The wings of `src`, from the ground up: a module uses the facades of its own wing and of those before it. */
export const WINGS = [
  'platform',
  'channels',
  'people',
  'audience',
  'content',
  'engine',
  'outcomes',
  'operations',
  'browser',
  'v2',
  'extensions',
];
const FOLDERS = ['src', 'libs', 'apps', 'packages', 'test', 'tools', 'bench', 'simulation'];
const CODE = /\.(tsx?|mts|mjs|js)$/;

/** One source file, parsed. `path` is relative to the project, with slashes. */
export function parse(path, text) {
  return { path, text, tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) };
}

/** Every source file of the project. */
export function readProject(root, folders = FOLDERS) {
  const files = folders.flatMap((folder) => walk(join(root, folder)));
  return files.map((file) => parse(relative(root, file).split(sep).join('/'), readFileSync(file, 'utf8')));
}

export function isTest(path) {
  return /\.(spec|e2e-spec|browser-spec)\.(tsx?|mjs)$/.test(path) || /(^|\/)test\//.test(path);
}

/** What a file imports, re-exports or loads by `import()`, types included. */
export function importsOf({ tree }) {
  const found = [];
  const visit = (node) => {
    const { moduleSpecifier } = node;
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && moduleSpecifier) {
      found.push(moduleSpecifier.text);
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments;
      if (argument && ts.isStringLiteralLike(argument)) found.push(argument.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/**
 * The project file that a specifier means, or undefined for packages.
 * @param paths of the project, by which `.js` means a file with or without JSX
 */
export function resolveImport(from, specifier, paths) {
  const lib = /^#libs\/(.+)$/.exec(specifier);
  if (lib) return `libs/${lib[1]}/src/index.ts`;
  if (!specifier.startsWith('.')) return undefined;
  const target = posix.normalize(posix.join(dirname(from), specifier));
  if (!/\.(m?ts|tsx)$/.test(from)) return target;
  const component = target.replace(/\.js$/, '.tsx');
  return paths.has(component) ? component : target.replace(/\.js$/, '.ts');
}

function walk(folder) {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // a folder that this project does not have
  }
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : walk(path);
    return CODE.test(entry.name) && !entry.name.endsWith('.d.ts') ? [path] : [];
  });
}
