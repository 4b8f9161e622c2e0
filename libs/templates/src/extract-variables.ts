import {
  type BlockStatement,
  type Call,
  type Expression,
  hasArguments,
  hashValues,
  innerScope,
  type PathExpression,
  type Program,
  rootScope,
  type Scope,
  startOf,
} from './ast.js';
import { helperOf } from './helper-names.js';
import { parseStored } from './syntax.js';
import type { FoundVariable, VariableType } from './template.types.js';

/** Items of a list have no path. */
interface Place {
  readonly path?: readonly string[];
}

const NAMELESS: Place = {};
/** Their first argument is a list. */
const LIST_HELPERS = new Set(['each', 'unique', 'groupBy', 'sortBy']);

/**
 * In order of appearance; if a name has several roles, the last one's type wins. Inside `{{#with x}}`, paths become
 * `x.path`; paths relative to list items are omitted.
 * @throws {TemplateError} for a template that cannot be read
 */
export function extractVariables(source: string): FoundVariable[] {
  const walk = new VariableWalk();
  walk.program(parseStored(source), rootScope({ path: [] }));
  return [...walk.found].map(([name, type]) => ({ name, type }));
}

class VariableWalk {
  readonly found = new Map<string, VariableType>();

  program(program: Program, scope: Scope<Place>): void {
    for (const statement of program.body) {
      if (statement.type === 'MustacheStatement') this.call(statement, scope);
      else if (statement.type === 'BlockStatement') this.block(statement, scope);
    }
  }

  private call(call: Call, scope: Scope<Place>): void {
    const name = helperOf(call);
    if (name === undefined && !hasArguments(call)) return this.expression(call.path, 'String', scope);
    this.arguments(call, name !== undefined && LIST_HELPERS.has(name) ? 'Array' : 'String', scope);
  }

  private arguments(call: Call, first: VariableType, scope: Scope<Place>): void {
    call.params.forEach((param, index) => this.expression(param, index === 0 ? first : 'String', scope));
    for (const value of hashValues(call)) this.expression(value, 'String', scope);
  }

  private block(block: BlockStatement, scope: Scope<Place>): void {
    const name = helperOf(block);
    if (name === 'with') return this.withBlock(block, scope);
    if (name !== undefined) {
      const first = name === 'if' || name === 'unless' ? 'Boolean' : LIST_HELPERS.has(name) ? 'Array' : 'String';
      this.arguments(block, first, scope);
      if (name === 'each') return this.listBlock(block, scope);
      if (block.program) this.program(block.program, scope);
    } else {
      // A plain section shows its content for true, once per item for a list; without content it asks "is it missing?".
      this.expression(block.path, block.program ? 'Array' : 'Boolean', scope);
      return this.listBlock(block, scope);
    }
    if (block.inverse) this.program(block.inverse, scope);
  }

  private listBlock(block: BlockStatement, scope: Scope<Place>): void {
    if (block.program) this.program(block.program, innerScope(scope, block.program, NAMELESS, NAMELESS));
    if (block.inverse) this.program(block.inverse, scope);
  }

  private withBlock(block: BlockStatement, scope: Scope<Place>): void {
    const subject = block.params[0];
    const path = subject?.type === 'PathExpression' ? resolve(subject, scope) : undefined;
    if (block.program) this.program(block.program, innerScope(scope, block.program, { path }, NAMELESS));
    const prefix = path && `${path.join('.')}.`;
    const isCovered = prefix !== undefined && [...this.found.keys()].some((name) => name.startsWith(prefix));
    if (!isCovered) this.arguments(block, 'String', scope);
    if (block.inverse) this.program(block.inverse, scope);
  }

  private expression(expression: Expression, type: VariableType, scope: Scope<Place>): void {
    if (expression.type === 'SubExpression') return this.call(expression, scope);
    if (expression.type !== 'PathExpression') return;
    const path = resolve(expression, scope);
    if (path !== undefined && path.length > 0) this.found.set(path.join('.'), type);
  }
}

function resolve(path: PathExpression, scope: Scope<Place>): Place['path'] {
  const found = startOf(path, scope);
  return found?.start.path && [...found.start.path, ...found.members];
}
