import { LRUCache } from 'lru-cache';
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
import { createHelpers } from './helpers.js';
import { parseSource } from './syntax.js';
import { TemplateError } from './template-error.js';

type Data = Readonly<Record<string, unknown>>;

const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 100;
/** Per call, passes through lists included. */
const MAX_STATEMENTS = 5_000;
const MAX_ITEMS = 50;
/** Parsing a larger template for the first time would block the event loop. */
const MAX_SOURCE_LENGTH = 200_000;
const MAX_TAGS = 300;

/** They test their arguments instead of showing them. */
const COMPARING = new Set(['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'equals']);
const compare = createHelpers({ timeZone: 'UTC' }) as Readonly<
  Record<string, (args: unknown[], hash: Data) => unknown>
>;
const LOOP_DATA = new Set(['index', 'key', 'first', 'last']);
const UNKNOWN = Symbol('cannot be known without rendering');

const programs = new LRUCache<string, Program>({
  maxSize: 5_000_000,
  sizeCalculation: (_, source) => source.length + 200,
});
/** Listing the keys of large objects is slow, and the recipients of an event share the data. */
const firstEntries = new WeakMap<object, unknown[]>();

interface Known {
  readonly value: unknown;
  /** Such as `items[].price`. Empty for values that cannot be missing. */
  readonly label: string;
}

/**
 * Values that templates show and the data lacks: `order.id`, `items[].price`. Ignores nulls, conditions and parts that
 * are not shown. Skips templates that are unreadable or very large.
 */
export function missingValues(sources: readonly string[], data: Data): string[] {
  const walk = new MissingWalk();
  for (const source of sources) {
    const program = source.includes('{{') ? parsed(source) : undefined;
    if (program) walk.program(program, rootScope({ value: data, label: '' }));
  }
  return [...walk.found];
}

function parsed(source: string): Program | undefined {
  const known = programs.get(source);
  if (known) return known;
  if (source.length > MAX_SOURCE_LENGTH || hasTooManyTags(source)) return undefined;
  try {
    const program = parseSource(source);
    programs.set(source, program);
    return program;
  } catch (error) {
    if (error instanceof TemplateError) return undefined;
    throw error;
  }
}

function hasTooManyTags(source: string): boolean {
  let tags = 0;
  for (let at = source.indexOf('{{'); at >= 0; at = source.indexOf('{{', at + 2)) if (++tags > MAX_TAGS) return true;
  return false;
}

class MissingWalk {
  readonly found = new Set<string>();
  private looks = MAX_STATEMENTS;

  program(program: Program | undefined, scope: Scope<Known>): void {
    for (const statement of program?.body ?? []) {
      if (--this.looks < 0 || this.found.size >= MAX_NAMES) return;
      if (statement.type === 'MustacheStatement') this.shown(statement, scope);
      else if (statement.type === 'BlockStatement') this.block(statement, scope);
    }
  }

  private shown(call: Call, scope: Scope<Known>): void {
    const name = helperIn(call, scope);
    if (name === undefined && !hasArguments(call)) return this.need(call.path, scope);
    if (name !== undefined && COMPARING.has(name)) return;
    const asked = name === 'lookup' ? call.params.slice(0, 1) : [...call.params, ...hashValues(call)];
    for (const one of asked) this.need(one, scope);
  }

  private need(expression: Expression, scope: Scope<Known>): void {
    if (expression.type === 'SubExpression') return this.shown(expression, scope);
    if (expression.type !== 'PathExpression') return;
    const { value, label } = lookUp(expression, scope);
    if (value === undefined && label !== '') {
      this.found.add(label.length > MAX_NAME_LENGTH ? `${label.slice(0, MAX_NAME_LENGTH)}…` : label);
    }
  }

  private block(block: BlockStatement, scope: Scope<Known>): void {
    const name = helperIn(block, scope);
    if (name === 'if' || name === 'unless') return this.condition(block, scope, name === 'unless');
    if (name === 'each') return this.each(block, scope);
    if (name === 'with') return this.section(block, block.params[0], scope);
    if (name === undefined) return this.section(block, block.path, scope);
    if (!COMPARING.has(name)) return this.shown(block, scope);
    const value = evaluate({ type: 'SubExpression', path: block.path, params: block.params, hash: block.hash }, scope);
    if (value !== UNKNOWN) this.program(value ? block.program : block.inverse, scope);
  }

  private condition(block: BlockStatement, scope: Scope<Known>, isReversed: boolean): void {
    const [condition] = block.params;
    const value = condition === undefined ? UNKNOWN : evaluate(condition, scope);
    if (value === UNKNOWN) return;
    const isZeroTrue = block.hash?.pairs.some(({ key }) => key === 'includeZero') === true && value === 0;
    this.program((isTrue(value) || isZeroTrue) !== isReversed ? block.program : block.inverse, scope);
  }

  /** A missing list counts as missing only if the block has no `{{else}}`. */
  private each(block: BlockStatement, scope: Scope<Known>): void {
    const [list] = block.params;
    if (list === undefined) return;
    const value = evaluate(list, scope);
    if (value === UNKNOWN) return;
    if (value === undefined && block.inverse === undefined) return this.need(list, scope);
    const items = typeof value === 'object' && value !== null ? entriesOf(value) : [];
    if (items.length === 0) return this.program(block.inverse, scope);
    this.items(block, items, `${labelOf(list, scope)}[]`, scope);
  }

  /** `{{#x}}` and `{{#with x}}` test whether x exists. */
  private section(block: BlockStatement, subject: Expression | undefined, scope: Scope<Known>): void {
    const value = subject === undefined ? UNKNOWN : evaluate(subject, scope);
    if (value === UNKNOWN || subject === undefined) return;
    if (value === true) return this.program(block.program, scope);
    if (!isTrue(value)) return this.program(block.inverse, scope);
    const label = labelOf(subject, scope);
    const isList = Array.isArray(value) && subject === block.path;
    this.items(block, isList ? (value as unknown[]) : [value], isList ? `${label}[]` : label, scope);
  }

  private items(block: BlockStatement, items: readonly unknown[], label: string, parent: Scope<Known>): void {
    for (const [index, value] of items.slice(0, MAX_ITEMS).entries()) {
      const place = { value: index, label: '' };
      this.program(block.program, innerScope(parent, block.program, { value, label }, place));
    }
  }
}

function entriesOf(value: object): readonly unknown[] {
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS) as unknown[];
  const known = firstEntries.get(value);
  if (known !== undefined) return known;
  const keys = Object.keys(value);
  const first = keys.slice(0, MAX_ITEMS).map((key) => (value as Data)[key]);
  if (keys.length > MAX_ITEMS) firstEntries.set(value, first);
  return first;
}

/** A block parameter hides a helper of its name. */
function helperIn(call: Call, scope: Scope<Known>): string | undefined {
  const name = helperOf(call);
  return name !== undefined && !scope.params.has(name) ? name : undefined;
}

/** Of the helpers, only comparisons are evaluated. */
function evaluate(expression: Expression, scope: Scope<Known>): unknown {
  if (expression.type === 'PathExpression') {
    const isHelper = helperIn({ path: expression, params: [] }, scope) !== undefined;
    return isHelper ? UNKNOWN : lookUp(expression, scope).value;
  }
  if (expression.type !== 'SubExpression') return expression.value;
  const name = helperIn(expression, scope);
  const helper = name !== undefined && COMPARING.has(name) ? compare[name] : undefined;
  const values = expression.params.map((param) => evaluate(param, scope));
  return helper === undefined || values.includes(UNKNOWN) ? UNKNOWN : helper(values, {});
}

/** Own members only. */
export function valueAt(data: Data, path: string): unknown {
  return follow({ value: data, label: '' }, path.split('.')).value;
}

function lookUp(path: PathExpression, scope: Scope<Known>): Known {
  const found = startOf(path, scope);
  if (found !== undefined) return follow(found.start, found.members);
  const isLoopData = path.data && LOOP_DATA.has(path.parts[0] ?? '');
  return { value: isLoopData ? UNKNOWN : undefined, label: '' };
}

function follow({ value: start, label }: Known, members: readonly string[]): Known {
  const name = [label, ...members].filter((part) => part !== '').join('.');
  let value = start;
  for (const member of members) {
    const holder: unknown = value;
    if (holder === undefined || holder === null) return { value: undefined, label: name };
    value = Object.hasOwn(Object(holder) as object, member) ? (holder as Data)[member] : undefined;
  }
  return { value, label: name };
}

function labelOf(expression: Expression, scope: Scope<Known>): string {
  return expression.type === 'PathExpression' ? lookUp(expression, scope).label : '';
}

/** As in Handlebars: empty lists and 0 are false. */
export function isTrue(value: unknown): boolean {
  return Boolean(value) && !(Array.isArray(value) && value.length === 0);
}
