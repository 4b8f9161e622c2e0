import { isExplicitThis, type PathExpression, type Program } from './ast.js';

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
