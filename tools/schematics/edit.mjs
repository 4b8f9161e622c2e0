import ts from 'typescript';

/** Adds an import in alphabetical order among the relative ones, otherwise after the last import. */
export function addImport(text, { name, from }) {
  const imports = parse(text).statements.filter(ts.isImportDeclaration);
  const relative = imports.filter(({ moduleSpecifier }) => moduleSpecifier.text.startsWith('./'));
  const next = relative.find(({ moduleSpecifier }) => moduleSpecifier.text > from);
  const line = `import { ${name} } from '${from}';`;
  if (next !== undefined) return insert(text, next.getStart(), `${line}\n`);
  const last = relative.at(-1) ?? imports.at(-1);
  if (last === undefined) throw new Error('The file has no imports to add another one to.');
  return insert(text, last.getEnd(), `\n${line}`);
}

/**
 * Adds an element to the list that a variable or property holds or a function returns.
 * @param list name of the variable, property or function
 * @param after the element that it follows, as it stands in the text; absent: the last one
 */
export function addToList(text, list, element, after) {
  const node = findList(parse(text), list);
  if (node === undefined) throw new Error(`There is no list '${list}'.`);
  const place =
    after === undefined ? node.elements.at(-1) : node.elements.find((one) => nameOf(one) === nameOfText(after));
  if (place === undefined) throw new Error(`The list '${list}' has no element ${after ?? ''}.`);
  return insert(text, place.getEnd(), `, ${element}`);
}

/** The arguments of the call of a function whose second one is this text; undefined where there is none. */
export function argumentsOf(text, callee, second) {
  return findCall(parse(text), callee, second)?.arguments.map((argument) => argument.getText());
}

/** Sets an argument of such a call, which has at least those before it. */
export function setArgument(text, callee, second, index, argument) {
  const call = findCall(parse(text), callee, second);
  if (call === undefined) throw new Error(`There is no ${callee}(…, '${second}').`);
  const present = call.arguments[index];
  if (present === undefined) return insert(text, call.arguments.at(-1).getEnd(), `, ${argument}`);
  return text.slice(0, present.getStart()) + argument + text.slice(present.getEnd());
}

function findCall(tree, callee, second) {
  let found;
  const visit = (node) => {
    const isCall = ts.isCallExpression(node) && node.expression.getText() === callee;
    if (isCall && node.arguments[1]?.text === second) found ??= node;
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function findList(tree, name) {
  let found;
  const visit = (node) => {
    if (found !== undefined) return;
    const isNamed = node.name !== undefined && node.name.text === name;
    if (isNamed && node.initializer && ts.isArrayLiteralExpression(node.initializer)) found = node.initializer;
    else if (isNamed && ts.isFunctionDeclaration(node)) found = returnedList(node);
    else ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function returnedList({ body }) {
  const returned = body?.statements.find(ts.isReturnStatement)?.expression;
  return returned !== undefined && ts.isArrayLiteralExpression(returned) ? returned : undefined;
}

const parse = (text) => ts.createSourceFile('edited.ts', text, ts.ScriptTarget.Latest, true);
const nameOf = (node) => nameOfText(node.getText());
const nameOfText = (text) => text.replace(/^['"]|['"]$/g, '');
const insert = (text, at, added) => text.slice(0, at) + added + text.slice(at);
