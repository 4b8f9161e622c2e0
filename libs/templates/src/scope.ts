import { isExplicitThis, type PathExpression, type Program } from './ast.js';

/** What the names in a part of a template refer to. `T` is what a walk through the template knows of a value. */
export interface Scope<T extends object> {
  /** What `this` means. */
  readonly self: T;
  /** Block parameters of this block and of those around it. */
  readonly params: ReadonlyMap<string, T>;
  /** What `../` means. */
  readonly parent: Scope<T> | undefined;
}

export function rootScope<T extends object>(self: T): Scope<T> {
  return { self, params: new Map(), parent: undefined };
}

/**
 * The scope inside a block that has a subject, such as `{{#each items as |item index|}}`.
 * @param index what the second block parameter stands for; the first stands for the subject
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

/** Where a path starts, and the members that it reads from there. Undefined for `@index` and for `../` above the root. */
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
