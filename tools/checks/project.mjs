import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import ts from 'typescript';

/** Folders that hold our code. */
export const FOLDERS = ['src', 'libs', 'apps', 'packages', 'test', 'tools', 'bench'];
const CODE = /\.(ts|mts|mjs|js)$/;

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
  return /\.(spec|e2e-spec|browser-spec)\.(ts|mjs)$/.test(path) || /(^|\/)(test|testing)\//.test(path);
}

/** Imports, re-exports and dynamic imports of a file; `typeOnly` ones leave no trace when it runs. */
export function importsOf({ tree }) {
  const found = [];
  const visit = (node) => {
    const { moduleSpecifier } = node;
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && moduleSpecifier) {
      found.push({ specifier: moduleSpecifier.text, typeOnly: isTypeOnly(node) });
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments;
      if (argument && ts.isStringLiteralLike(argument)) found.push({ specifier: argument.text, typeOnly: false });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function isTypeOnly(node) {
  if (ts.isExportDeclaration(node)) return node.isTypeOnly || allTypes(node.exportClause);
  const clause = node.importClause;
  if (clause === undefined) return false;
  return clause.isTypeOnly || (clause.name === undefined && allTypes(clause.namedBindings));
}

function allTypes(bindings) {
  const elements = bindings?.elements;
  return elements !== undefined && elements.length > 0 && elements.every((element) => element.isTypeOnly);
}

/** The project file that a specifier means, or undefined for packages. */
export function resolveImport(from, specifier) {
  const lib = /^#libs\/(.+)$/.exec(specifier);
  if (lib) return `libs/${lib[1]}/src/index.ts`;
  if (!specifier.startsWith('.')) return undefined;
  const target = posix.normalize(posix.join(dirname(from), specifier));
  return /\.m?ts$/.test(from) ? target.replace(/\.js$/, '.ts') : target;
}

/** Line of a node, from 1. */
export function lineOf({ tree }, position) {
  return tree.getLineAndCharacterOfPosition(position).line + 1;
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
