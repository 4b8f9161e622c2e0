import ts from 'typescript';

/**
 * Which errors made by `defineError` can leave a function, itself or by what it calls. Follows names to their declarations:
 * a function that is passed on counts as called, and a method of an interface as all its implementations. A `catch` that asks
 * for an error by `instanceof` ends its way.
 * @returns {(handler: ts.Node) => Map<ts.Node, () => string>} the declarations of the errors, each with the way to it
 */
export function errorsThrownBy(program, { isOwn, kept }) {
  const usesOf = memoized(usesReader(program, isOwn));
  const isKept = (node, error) => {
    const errors = kept[labelOf(node)] ?? {};
    return Object.hasOwn(errors, '*') || Object.hasOwn(errors, error.name.getText());
  };
  return (handler) => {
    const functions = reachableFrom(handler, usesOf);
    const thrown = new Map(functions.map((node) => [node, new Map()]));
    for (let isChanged = true; isChanged;) {
      isChanged = false;
      for (const node of functions) {
        for (const { target, isError, caught } of usesOf(node)) {
          for (const error of isError ? [target] : thrown.get(target).keys()) {
            const isCaught = caught.isEverything || caught.errors.has(error);
            if (thrown.get(node).has(error) || isCaught || isKept(node, error)) continue;
            thrown.get(node).set(error, isError ? undefined : target);
            isChanged = true;
          }
        }
      }
    }
    return new Map([...thrown.get(handler).keys()].map((error) => [error, () => wayOf(error, handler, thrown)]));
  };
}

function wayOf(error, from, thrown) {
  const way = [];
  for (let node = from; node !== undefined; node = thrown.get(node).get(error)) way.push(labelOf(node));
  return way.join(' > ');
}

function labelOf(node) {
  const owner = ts.isClassLike(node.parent) ? `${node.parent.name?.getText()}.` : '';
  return `${owner}${node.name?.getText() ?? 'constructor'}`;
}

function reachableFrom(handler, usesOf) {
  const found = new Set([handler]);
  for (const node of found) for (const { target, isError } of usesOf(node)) if (!isError) found.add(target);
  // Errors come up from what is called.
  return [...found].reverse();
}

function memoized(read) {
  const known = new Map();
  return (node) => {
    if (!known.has(node)) known.set(node, read(node));
    return known.get(node);
  };
}

/** Reads what a function names: other functions and errors, with the errors that are caught around them. */
function usesReader(program, isOwn) {
  const checker = program.getTypeChecker();
  const implementations = implementationsOf(program, checker, isOwn);
  const declarationsOf = (name) =>
    (targetOf(symbolOf(name, checker), checker)?.declarations ?? []).filter((each) => isOwn(each.getSourceFile()));
  return (node) => {
    const uses = [];
    const visit = (at) => {
      if (ts.isTypeNode(at) || ts.isDecorator(at)) return;
      if (ts.isIdentifier(at) && !isDeclaredName(at) && !isComparedClass(at)) {
        const targets = declarationsOf(at).flatMap((declaration) =>
          carriedOut(declaration, at, checker, implementations),
        );
        const caught = caughtAround(at, node, declarationsOf);
        for (const target of targets) uses.push({ target, isError: isErrorDefinition(target), caught });
      }
      ts.forEachChild(at, visit);
    };
    visit(node);
    return uses;
  };
}

/** What runs where a declaration is named: an error, a function, the value of a constant, or implementations. */
function carriedOut(declaration, name, checker, implementations) {
  if (isErrorDefinition(declaration)) return [declaration];
  if (ts.isClassLike(declaration)) {
    return ts.isNewExpression(name.parent) ? declaration.members.filter(ts.isConstructorDeclaration) : [];
  }
  if (ts.isMethodSignature(declaration) || isAbstract(declaration)) {
    const owner = checker.getSymbolAtLocation(declaration.parent.name ?? declaration.parent);
    const classes = implementations.get(owner) ?? [];
    return classes.flatMap(({ members }) =>
      members.filter(({ name: own }) => own?.getText() === declaration.name.getText()),
    );
  }
  const hasBody = ts.isFunctionLike(declaration) && declaration.body !== undefined;
  const isConstant =
    (ts.isVariableDeclaration(declaration) && ts.isSourceFile(declaration.parent.parent.parent)) ||
    ts.isPropertyDeclaration(declaration);
  return hasBody || (isConstant && declaration.initializer !== undefined) ? [declaration] : [];
}

/** The classes that implement an interface or extend a class. */
function implementationsOf(program, checker, isOwn) {
  const found = new Map();
  const visit = (node) => {
    if (ts.isClassLike(node)) {
      for (const { expression } of (node.heritageClauses ?? []).flatMap(({ types }) => [...types])) {
        const base = targetOf(checker.getSymbolAtLocation(expression), checker);
        if (base !== undefined) found.set(base, [...(found.get(base) ?? []), node]);
      }
    }
    ts.forEachChild(node, visit);
  };
  program.getSourceFiles().filter(isOwn).forEach(visit);
  return found;
}

/** The errors for which a `catch` around a place asks by `instanceof`. */
function caughtAround(place, end, declarationsOf) {
  const errors = new Set();
  for (let at = place; at !== end; at = at.parent) {
    for (const name of endsOf(handlerOf(at)).flatMap(classesAskedFor))
      declarationsOf(name).forEach((error) => errors.add(error));
  }
  return { errors, isEverything: [...errors].some(({ name }) => name?.getText() === 'AppException') };
}

/** What handles the errors of a `try` block, or of a promise with `.catch()`. */
function handlerOf(node) {
  const { parent } = node;
  if (ts.isTryStatement(parent) && parent.tryBlock === node) return parent.catchClause;
  const isReceiver = ts.isPropertyAccessExpression(parent) && parent.expression === node;
  const isCatch = isReceiver && parent.name.text === 'catch' && ts.isCallExpression(parent.parent);
  return isCatch ? parent.parent.arguments[0] : undefined;
}

function classesAskedFor(node) {
  const own = ts.isIdentifier(node) && isComparedClass(node) ? [node] : [];
  const inside = [];
  ts.forEachChild(node, (child) => void inside.push(...classesAskedFor(child)));
  return [...own, ...inside];
}

/** The parts of a `catch` that end the way of an error. Where it throws its error again at the end, those that leave before. */
function endsOf(node) {
  if (node === undefined) return [];
  if (!ts.isCatchClause(node)) return [node];
  const { statements } = node.block;
  const isThrownAgain = (statement) =>
    statement &&
    ts.isThrowStatement(statement) &&
    statement.expression.getText() === node.variableDeclaration?.getText();
  return isThrownAgain(statements.at(-1)) ? statements.filter(leaves).map(({ expression }) => expression) : [node];
}

/** `if (…) return …;` */
function leaves(statement) {
  if (!ts.isIfStatement(statement) || ts.isPrefixUnaryExpression(statement.expression)) return false;
  const { thenStatement } = statement;
  const last = ts.isBlock(thenStatement) ? thenStatement.statements.at(-1) : thenStatement;
  return last !== undefined && (ts.isReturnStatement(last) || ts.isThrowStatement(last));
}

const isComparedClass = ({ parent }) =>
  ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword;

const isAbstract = (node) =>
  ts.isMethodDeclaration(node) && (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Abstract) !== 0;

const isErrorDefinition = (node) =>
  ts.isVariableDeclaration(node) &&
  node.initializer !== undefined &&
  ts.isCallExpression(node.initializer) &&
  node.initializer.expression.getText() === 'defineError';

function isDeclaredName(name) {
  const { parent } = name;
  return parent.name === name && !ts.isPropertyAccessExpression(parent) && !ts.isShorthandPropertyAssignment(parent);
}

function symbolOf(name, checker) {
  return ts.isShorthandPropertyAssignment(name.parent)
    ? checker.getShorthandAssignmentValueSymbol(name.parent)
    : checker.getSymbolAtLocation(name);
}

function targetOf(symbol, checker) {
  return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}
