import ts from 'typescript';
import { isTest, lineOf } from './project.mjs';

export const LIMITS = { file: 300, controller: 200, function: 60, constructorParameters: 6 };

/** Files, functions and constructors beyond the size budget. Suites in tests are no functions in this sense. */
export function checkSize(files) {
  return files.flatMap((file) => [
    ...fileFaults(file),
    ...(isTest(file.path) ? [] : functionsOf(file).flatMap((found) => functionFaults(file.path, found))),
  ]);
}

/** Longest file and longest function outside tests. */
export function measure(files) {
  const production = files.filter(({ path }) => !isTest(path));
  const longest = (sizes) => sizes.reduce((a, b) => (b.lines > a.lines ? b : a), { lines: 0 });
  return {
    file: longest(production.map((file) => ({ where: file.path, lines: linesOf(file) }))),
    function: longest(
      production.flatMap((file) =>
        functionsOf(file).map(({ start, lines }) => ({ where: `${file.path}:${start}`, lines })),
      ),
    ),
  };
}

function fileFaults(file) {
  const limit = file.path.endsWith('.controller.ts') ? LIMITS.controller : LIMITS.file;
  const lines = linesOf(file);
  return lines > limit ? [`${file.path}: ${lines} lines, at most ${limit}. Split it by what it is about.`] : [];
}

function functionFaults(path, { start, lines, injected }) {
  const faults = [];
  if (lines > LIMITS.function) faults.push(`function of ${lines} lines, at most ${LIMITS.function}. Take a step out.`);
  if (injected > LIMITS.constructorParameters) {
    faults.push(
      `${injected} constructor parameters, at most ${LIMITS.constructorParameters}. A collaborator is missing.`,
    );
  }
  return faults.map((fault) => `${path}:${start}: ${fault}`);
}

function functionsOf(file) {
  const found = [];
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body) {
      const start = lineOf(file, node.getStart());
      const lines = lineOf(file, node.getEnd()) - start + 1;
      found.push({ start, lines, injected: ts.isConstructorDeclaration(node) ? node.parameters.length : 0 });
    }
    ts.forEachChild(node, visit);
  };
  visit(file.tree);
  return found;
}

function linesOf({ text }) {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}
