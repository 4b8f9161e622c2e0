import { STATUS_CODES } from 'node:http';
import ts from 'typescript';
import { isTest } from '../checks/project.mjs';

/**
 * Every error that a caller can get, read from the code: `defineError(status, 'code', text)`,
 * `new AppException(status, 'code', text)`, and descriptions of other errors.
 * @returns {{ code: string, status: number, text: string, path: string }[]} by code
 */
export function errorCodesOf(files) {
  const found = files
    .filter(({ path }) => !isTest(path) && /^(src|libs|apps)\/(?!console\/)/.test(path))
    .flatMap(errorsOf);
  return found.sort((a, b) => compare(a.code, b.code) || a.status - b.status || compare(a.text, b.text));
}

function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

function errorsOf({ path, tree }) {
  const found = [];
  const visit = (node) => {
    if (constructsError(node)) {
      const [status, code, text] = node.arguments ?? [];
      if (status && ts.isNumericLiteral(status) && code && ts.isStringLiteralLike(code)) {
        found.push({ code: code.text, status: Number(status.text), text: textOf(text), path });
      }
    }
    if (ts.isObjectLiteralExpression(node)) found.push(...describedErrors(node, path));
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** `{ status: 503, code: 'x', … }`, and tables of codes by status such as `{ 409: 'conflict' }`. */
function describedErrors(node, path) {
  const properties = new Map(
    node.properties.filter(ts.isPropertyAssignment).map(({ name, initializer }) => [name.getText(), initializer]),
  );
  const [status, code] = [properties.get('status'), properties.get('code')];
  if (status && ts.isNumericLiteral(status) && code && ts.isStringLiteralLike(code)) {
    const message = node.properties.find(({ name }) => name?.getText() === 'message');
    const text = message && ts.isPropertyAssignment(message) ? message.initializer : localValue(node, 'message');
    return [{ code: code.text, status: Number(status.text), text: textOf(text), path }];
  }
  const codes = [...properties].filter(([key, value]) => /^[45]\d\d$/.test(key) && isCode(value));
  return codes.map(([key, value]) => ({ code: value.text, status: Number(key), text: STATUS_CODES[key], path }));
}

/** The initializer of `const name = …` in the block around a node. */
function localValue(node, name) {
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if (!ts.isBlock(at)) continue;
    const declarations = at.statements
      .filter(ts.isVariableStatement)
      .flatMap((row) => [...row.declarationList.declarations]);
    return declarations.find((declaration) => declaration.name.getText() === name)?.initializer;
  }
  return undefined;
}

function isCode(node) {
  return ts.isStringLiteralLike(node) && /^[a-z]+(_[a-z]+)*$/.test(node.text);
}

function constructsError(node) {
  const isCall = ts.isCallExpression(node) || ts.isNewExpression(node);
  return isCall && ['defineError', 'AppException'].includes(node.expression.getText());
}

/** The text with `{…}` for each value. */
function textOf(node) {
  if (node === undefined) return '';
  if (ts.isArrowFunction(node)) return textOf(node.body);
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    return (
      node.head.text + node.templateSpans.map(({ expression, literal }) => nameOf(expression) + literal.text).join('')
    );
  }
  if (ts.isBinaryExpression(node)) return textOf(node.left) + textOf(node.right);
  if (ts.isConditionalExpression(node)) return textOf(node.whenTrue);
  if (ts.isArrayLiteralExpression(node)) return textOf(node.elements[0]);
  return nameOf(node);
}

function nameOf(node) {
  const text = node.getText();
  return /^[\w.]+$/.test(text) ? `{${text.split('.').at(-1)}}` : '{…}';
}

/** The table in docs/errors.md. */
export function errorTable(codes) {
  const rows = codes.map(({ code, status, text }) => `| \`${code}\` | ${status} | ${escapeCell(text)} |`);
  return ['| Code | Status | Message |', '|---|---|---|', ...new Set(rows)].join('\n');
}

function escapeCell(text) {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replace(/\s+/g, ' ');
}
