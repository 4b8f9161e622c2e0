/**
 * The part of Handlebars' syntax tree used here, as unions that TypeScript can narrow: the library's types leave `type`
 * a plain string.
 */
interface Located {
  loc?: { start: { line: number; column: number } };
}

export interface PathExpression extends Located {
  type: 'PathExpression';
  /** `true` for `@index`, `@root` and the like. */
  data: boolean;
  /** Number of leading `../`. */
  depth: number;
  parts: string[];
  original: string;
}

export interface Literal extends Located {
  type: 'StringLiteral' | 'NumberLiteral' | 'BooleanLiteral' | 'UndefinedLiteral' | 'NullLiteral';
  value?: string | number | boolean;
  original?: string | number | boolean;
}

export interface Hash {
  type: 'Hash';
  pairs: { type: 'HashPair'; key: string; value: Expression }[];
}

export interface Call extends Located {
  path: PathExpression | Literal;
  params: Expression[];
  hash?: Hash;
}

export interface SubExpression extends Call {
  type: 'SubExpression';
}

export type Expression = PathExpression | Literal | SubExpression;

export interface MustacheStatement extends Call {
  type: 'MustacheStatement';
  /** `false` for triple-stash and `{{&`. */
  escaped: boolean;
}

export interface BlockStatement extends Call {
  type: 'BlockStatement';
  program?: Program;
  inverse?: Program;
  /** Empty for raw blocks (`{{{{`). */
  openStrip: { open?: boolean };
}

export interface ContentStatement extends Located {
  type: 'ContentStatement';
  value: string;
}

export interface CommentStatement extends Located {
  type: 'CommentStatement';
}

export interface RefusedStatement extends Located {
  type: 'PartialStatement' | 'PartialBlockStatement' | 'Decorator' | 'DecoratorBlock';
}

export type Statement = MustacheStatement | BlockStatement | ContentStatement | CommentStatement | RefusedStatement;

export interface Program {
  type: 'Program';
  body: Statement[];
  blockParams?: string[];
}

/** Values of `name=value` arguments. */
export function hashValues(call: Call): Expression[] {
  return (call.hash?.pairs ?? []).map((pair) => pair.value);
}

/** Undefined unless the path is a plain identifier; `this.x` and `./x` always mean data. */
export function calledName({ path }: Call): string | undefined {
  if (path.type !== 'PathExpression' || path.data || path.depth > 0 || path.parts.length !== 1) return undefined;
  return isExplicitThis(path) ? undefined : path.parts[0];
}

export function isExplicitThis(path: PathExpression): boolean {
  return path.original.startsWith('this.') || path.original.startsWith('this/') || path.original.startsWith('./');
}

export function hasArguments(call: Call): boolean {
  return call.params.length > 0 || (call.hash?.pairs.length ?? 0) > 0;
}
