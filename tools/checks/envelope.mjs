import ts from 'typescript';
import { lineOf } from './project.mjs';

/** Controllers that build the envelope by hand: the interceptor does it, by type (decisions 3.1). */
export function checkEnvelope(files) {
  return files.filter(({ path }) => path.endsWith('.controller.ts')).flatMap(faultsOf);
}

function faultsOf(file) {
  const faults = [];
  const visit = (node) => {
    const result = ts.isReturnStatement(node) ? node.expression : ts.isArrowFunction(node) ? node.body : undefined;
    const value = result && unwrap(result);
    if (value && ts.isObjectLiteralExpression(value) && value.properties.some(isData)) {
      faults.push(
        `${file.path}:${lineOf(file, value.getStart())}: returns { data }. Return the value; the envelope is added for you.`,
      );
    }
    ts.forEachChild(node, visit);
  };
  visit(file.tree);
  return faults;
}

function unwrap(node) {
  return ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node)
    ? unwrap(node.expression)
    : node;
}

function isData(property) {
  return property.name !== undefined && ts.isIdentifier(property.name) && property.name.text === 'data';
}
