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

function isExplicitThis(path: PathExpression): boolean {
  return path.original.startsWith('this.') || path.original.startsWith('this/') || path.original.startsWith('./');
}

export function hasArguments(call: Call): boolean {
  return call.params.length > 0 || (call.hash?.pairs.length ?? 0) > 0;
}

/** Meaning of names in a part of a template. `T` describes a value. */
export interface Scope<T extends object> {
  /** `this` */
  readonly self: T;
  /** Of this block and those around it. */
  readonly params: ReadonlyMap<string, T>;
  /** `../` */
  readonly parent: Scope<T> | undefined;
}

export function rootScope<T extends object>(self: T): Scope<T> {
  return { self, params: new Map(), parent: undefined };
}

/**
 * Inside a block with a subject, such as `{{#each items as |item index|}}`.
 * @param index value of the second block parameter; the first is the subject
 */
export function innerScope<T extends object>(
  parent: Scope<T>,
  program: Program | undefined,
  subject: T,
  index: T,
): Scope<T> {
  const names = program?.blockParams ?? [];
  if (names.length === 0) return { self: subject, params: parent.params, parent };
  const own = names.map((name, position): [string, T] => [name, position === 0 ? subject : index]);
  return { self: subject, params: new Map([...parent.params, ...own]), parent };
}

/** The start of a path and the members read from there. Undefined for `@index` and for `../` above the root. */
export function startOf<T extends object>(
  path: PathExpression,
  scope: Scope<T>,
): { start: T; members: readonly string[] } | undefined {
  const { parts, depth, data } = path;
  const [first, ...rest] = parts;
  if (data) return first === 'root' ? { start: rootOf(scope).self, members: rest } : undefined;
  const param = depth === 0 && first !== undefined && !isExplicitThis(path) ? scope.params.get(first) : undefined;
  if (param !== undefined) return { start: param, members: rest };
  let at: Scope<T> | undefined = scope;
  for (let level = 0; level < depth; level++) at = at?.parent;
  return at && { start: at.self, members: parts };
}

function rootOf<T extends object>(scope: Scope<T>): Scope<T> {
  let at = scope;
  while (at.parent !== undefined) at = at.parent;
  return at;
}
