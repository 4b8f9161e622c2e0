import {
  calledName,
  hasArguments,
  hashValues,
  isExplicitThis,
  type BlockStatement,
  type Call,
  type Expression,
  type PathExpression,
  type Program,
} from './ast.js';
import { HELPER_NAMES } from './helper-names.js';
import { parseSource } from './syntax.js';
import type { FoundVariable, VariableType } from './template.types.js';

/** What `this` means in a part of the template: a path from the root, or nothing that has a name. */
type Scope = readonly string[] | undefined;

const ROOT: readonly string[] = [];
/** Helpers whose first argument is a list. */
const LIST_HELPERS = new Set(['each', 'unique', 'groupBy', 'sortBy']);

/**
 * Lists the variables that a template reads from its root, in order of appearance; a name that appears in several roles
 * keeps the last one's type. Paths inside `{{#with x}}` are reported as `x.path`; those relative to the items of a list
 * have no name at the root and are left out. Throws a TemplateError for a template that cannot be read.
 */
export function extractVariables(source: string): FoundVariable[] {
  const walk = new VariableWalk();
  walk.program(parseSource(source), [ROOT], new Map());
  return [...walk.found].map(([name, type]) => ({ name, type }));
}

class VariableWalk {
  readonly found = new Map<string, VariableType>();

  program(program: Program, scopes: readonly Scope[], names: ReadonlyMap<string, Scope>): void {
    for (const statement of program.body) {
      if (statement.type === 'MustacheStatement') this.call(statement, scopes, names);
      else if (statement.type === 'BlockStatement') this.block(statement, scopes, names);
    }
  }

  private call(call: Call, scopes: readonly Scope[], names: ReadonlyMap<string, Scope>): void {
    const name = calledName(call);
    const isHelper = name !== undefined && HELPER_NAMES.has(name);
    if (!isHelper && !hasArguments(call)) return this.expression(call.path, 'String', scopes, names);
    this.arguments(call, isHelper && LIST_HELPERS.has(name) ? 'Array' : 'String', scopes, names);
  }

  private arguments(
    call: Call,
    first: VariableType,
    scopes: readonly Scope[],
    names: ReadonlyMap<string, Scope>,
  ): void {
    call.params.forEach((param, index) => this.expression(param, index === 0 ? first : 'String', scopes, names));
    for (const value of hashValues(call)) this.expression(value, 'String', scopes, names);
  }

  private block(block: BlockStatement, scopes: readonly Scope[], names: ReadonlyMap<string, Scope>): void {
    const name = calledName(block);
    if (name === 'with') return this.withBlock(block, scopes, names);
    if (name !== undefined && HELPER_NAMES.has(name)) {
      const first = name === 'if' || name === 'unless' ? 'Boolean' : LIST_HELPERS.has(name) ? 'Array' : 'String';
      this.arguments(block, first, scopes, names);
      if (name === 'each') return this.listBlock(block, scopes, names);
      if (block.program) this.program(block.program, scopes, names);
    } else {
      // A plain section shows its content for true, once per item for a list; without content it asks "is it missing?".
      this.expression(block.path, block.program ? 'Array' : 'Boolean', scopes, names);
      return this.listBlock(block, scopes, names);
    }
    if (block.inverse) this.program(block.inverse, scopes, names);
  }

  private listBlock(block: BlockStatement, scopes: readonly Scope[], names: ReadonlyMap<string, Scope>): void {
    if (block.program) this.program(block.program, [...scopes, undefined], withNames(names, block.program, undefined));
    if (block.inverse) this.program(block.inverse, scopes, names);
  }

  private withBlock(block: BlockStatement, scopes: readonly Scope[], names: ReadonlyMap<string, Scope>): void {
    const subject = block.params[0];
    const path = subject?.type === 'PathExpression' ? resolve(subject, scopes, names) : undefined;
    if (block.program) this.program(block.program, [...scopes, path], withNames(names, block.program, path));
    const prefix = path && `${path.join('.')}.`;
    const isCovered = prefix !== undefined && [...this.found.keys()].some((name) => name.startsWith(prefix));
    if (!isCovered) this.arguments(block, 'String', scopes, names);
    if (block.inverse) this.program(block.inverse, scopes, names);
  }

  private expression(
    expression: Expression,
    type: VariableType,
    scopes: readonly Scope[],
    names: ReadonlyMap<string, Scope>,
  ): void {
    if (expression.type === 'SubExpression') return this.call(expression, scopes, names);
    if (expression.type !== 'PathExpression') return;
    const path = resolve(expression, scopes, names);
    if (path !== undefined && path.length > 0) this.found.set(path.join('.'), type);
  }
}

/** The first block parameter stands for the block's subject; the second, an index or key, has no name at the root. */
function withNames(names: ReadonlyMap<string, Scope>, program: Program, subject: Scope): ReadonlyMap<string, Scope> {
  const params = program.blockParams ?? [];
  if (params.length === 0) return names;
  return new Map([
    ...names,
    ...params.map((param, index): [string, Scope] => [param, index === 0 ? subject : undefined]),
  ]);
}

function resolve(path: PathExpression, scopes: readonly Scope[], names: ReadonlyMap<string, Scope>): Scope {
  const [first, ...rest] = path.parts;
  if (path.data) return first === 'root' ? rest : undefined;
  if (path.depth === 0 && first !== undefined && !isExplicitThis(path) && names.has(first)) {
    const subject = names.get(first);
    return subject && [...subject, ...rest];
  }
  const scope = scopes[scopes.length - 1 - path.depth];
  return scope && [...scope, ...path.parts];
}
