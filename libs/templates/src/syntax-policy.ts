import {
  calledName,
  hasArguments,
  hashValues,
  type BlockStatement,
  type Call,
  type Expression,
  type PathExpression,
  type Program,
  type RefusedStatement,
  type Statement,
} from './ast.js';
import { HELPER_NAMES } from './helper-names.js';
import { TemplateError, type TemplatePosition } from './template-error.js';

/** Nesting of blocks and subexpressions. */
export const MAX_NESTING = 32;
/** Arguments included. The time to compile grows with their square. */
export const MAX_EXPRESSIONS = 2000;

export const UNSAFE_NAMES: ReadonlySet<string> = new Set([
  '__proto__',
  'constructor',
  'prototype',
  '__defineGetter__',
  '__lookupGetter__',
]);

const REFUSALS: Readonly<Record<RefusedStatement['type'], string>> = {
  PartialStatement: 'partials ({{> name}}) are not available; use a layout instead',
  PartialBlockStatement: 'partials ({{#> name}}) are not available; use a layout instead',
  Decorator: 'decorators ({{* name}}) are not available',
  DecoratorBlock: 'inline partials and decorators ({{#* name}}) are not available',
};

/**
 * Rejects partials, decorators, raw blocks, names that reach prototypes, unknown helpers, excessive nesting or length.
 * @throws {TemplateError} for the first of them
 */
export function assertAllowed(program: Program): void {
  new PolicyWalk().program(program, 0);
}

class PolicyWalk {
  private expressions = 0;

  program(program: Program, depth: number): void {
    program.blockParams?.forEach((name) => this.name(name));
    for (const statement of program.body) this.statement(statement, depth);
  }

  private statement(statement: Statement, depth: number): void {
    switch (statement.type) {
      case 'ContentStatement':
      case 'CommentStatement':
        return;
      case 'MustacheStatement':
        return this.call(statement, depth);
      case 'BlockStatement':
        return this.block(statement, depth);
      default:
        throw new TemplateError(REFUSALS[statement.type], positionOf(statement));
    }
  }

  private block(block: BlockStatement, depth: number): void {
    if (block.openStrip.open === undefined) {
      throw new TemplateError('raw blocks ({{{{name}}}}) are not available', positionOf(block));
    }
    this.call(block, depth);
    if (block.program) this.program(block.program, depth + 1);
    if (block.inverse) this.program(block.inverse, depth + 1);
  }

  private call(call: Call, depth: number, isSubExpression = false): void {
    this.count(call);
    if (depth > MAX_NESTING) {
      throw new TemplateError(`expressions may be nested at most ${MAX_NESTING} levels deep`, positionOf(call));
    }
    if (isSubExpression || hasArguments(call)) assertHelper(call);
    if (call.path.type === 'PathExpression') this.path(call.path);
    for (const value of [...call.params, ...hashValues(call)]) this.expression(value, depth + 1);
  }

  private expression(expression: Expression, depth: number): void {
    if (expression.type === 'SubExpression') return this.call(expression, depth, true);
    this.count(expression);
    if (expression.type === 'PathExpression') this.path(expression);
  }

  private count(expression: Call | Expression): void {
    this.expressions += 1;
    if (this.expressions <= MAX_EXPRESSIONS) return;
    throw new TemplateError(`a template may hold at most ${MAX_EXPRESSIONS} expressions`, positionOf(expression));
  }

  private path(path: PathExpression): void {
    for (const part of path.parts) this.name(part, positionOf(path));
  }

  private name(name: string, position?: TemplatePosition): void {
    if (UNSAFE_NAMES.has(name)) throw new TemplateError(`the name "${name}" is not allowed in a template`, position);
  }
}

function assertHelper(call: Call): void {
  const name = calledName(call);
  if (name !== undefined && HELPER_NAMES.has(name)) return;
  const written = String(call.path.original ?? '').slice(0, 50);
  throw new TemplateError(`there is no helper named "${written}"`, positionOf(call));
}

function positionOf(node: { loc?: { start: TemplatePosition } }): TemplatePosition | undefined {
  return node.loc && { line: node.loc.start.line, column: node.loc.start.column + 1 };
}
