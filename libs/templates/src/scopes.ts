import type Handlebars from 'handlebars';
import type { Expression, PathExpression, Program, Statement } from './ast.js';

/** No template can contain these names. */
export const EACH_HELPER = '#each';
export const WITH_HELPER = '#with';
export const SECTION_HELPER = '#section';
export const SELF_HELPER = '#self';

const originals = new WeakMap<object, unknown>();

/**
 * Handlebars takes a block whose value equals the value around it for no scope of its own, so that `../` leads too far: in loops
 * over equal texts, and over the same list. A value that is an object of its own equals no other one.
 */
function ownScope(value: unknown): unknown {
  const own = copyOf(value);
  if (own !== value) originals.set(own as object, originalOf(value));
  return own;
}

function copyOf(value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (typeof value !== 'object') return Object(value) as unknown;
  if (Array.isArray(value)) return [...(value as unknown[])];
  if (value instanceof Date) return new Date(value);
  return Object.getPrototypeOf(value) === Object.prototype ? { ...value } : value;
}

function originalOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && originals.has(value) ? originals.get(value) : value;
}

/** The blocks of Handlebars, with a scope for each value; `SELF_HELPER` is what `this` and `../this` mean in them. */
export function registerScopes(handlebars: typeof Handlebars): void {
  const { each, with: section, blockHelperMissing } = handlebars.helpers;
  const scoped = (helper: Handlebars.HelperDelegate | undefined): Handlebars.HelperDelegate =>
    function (this: unknown, value: unknown, options: Handlebars.HelperOptions): unknown {
      const original = originalOf(value);
      // As in Handlebars, `{{#with this}}` and a section whose value is true stay in the scope.
      const isSame = (inner: unknown): boolean => inner === this || (value === this && inner === original);
      const fn: Handlebars.TemplateDelegate = (inner: unknown, more) =>
        options.fn(isSame(inner) ? this : ownScope(inner), more);
      return helper?.call(this, original, { ...options, fn }) as unknown;
    };
  handlebars.registerHelper(EACH_HELPER, scoped(each));
  handlebars.registerHelper(WITH_HELPER, scoped(section));
  handlebars.registerHelper(SECTION_HELPER, scoped(blockHelperMissing));
  handlebars.registerHelper(SELF_HELPER, (value: unknown) => originalOf(value));
}

/** `this`, `.`, and the same of a scope around it. */
export function isSelf(path: PathExpression): boolean {
  return !path.data && path.parts.length === 0;
}

/** Whether a template has `../`; others need no scopes of their own. */
export function usesParents({ body }: Program): boolean {
  return body.some(inStatement);
}

function inStatement(statement: Statement): boolean {
  if (statement.type !== 'MustacheStatement' && statement.type !== 'BlockStatement') return false;
  const { path, params, hash } = statement;
  if ([path, ...params, ...(hash?.pairs ?? []).map(({ value }) => value)].some(inExpression)) return true;
  if (statement.type !== 'BlockStatement') return false;
  return [statement.program, statement.inverse].some((program) => program !== undefined && usesParents(program));
}

function inExpression(expression: Expression): boolean {
  if (expression.type === 'PathExpression') return expression.depth > 0;
  if (expression.type !== 'SubExpression') return false;
  return [expression.path, ...expression.params, ...(expression.hash?.pairs ?? []).map(({ value }) => value)].some(
    inExpression,
  );
}
