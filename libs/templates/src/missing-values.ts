import { LRUCache } from 'lru-cache';
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
import { createHelpers } from './helpers.js';
import { parseSource } from './syntax.js';
import { TemplateError } from './template-error.js';

type Data = Readonly<Record<string, unknown>>;

/** Names that are reported, and how much of each. */
const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 100;
/** Statements that are looked at, over all passes through lists. */
const MAX_STATEMENTS = 5_000;
const MAX_ITEMS = 50;
/** Larger templates are not looked into: reading one for the first time would block the event loop. */
const MAX_SOURCE_LENGTH = 200_000;
const MAX_TAGS = 300;

/** Helpers that ask about their arguments instead of showing them. */
const COMPARING = new Set(['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'equals']);
const compare = createHelpers({ timeZone: 'UTC' }) as Readonly<
  Record<string, (args: unknown[], hash: Data) => unknown>
>;
/** Loop variables, which always have a value. */
const LOOP_DATA = new Set(['index', 'key', 'first', 'last']);
const UNKNOWN = Symbol('cannot be known without rendering');

const programs = new LRUCache<string, Program>({
  maxSize: 5_000_000,
  sizeCalculation: (_, source) => source.length + 200,
});
/** First entries of large lists and objects: listing the keys takes long, and the recipients of an event share the data. */
const firstEntries = new WeakMap<object, unknown[]>();

/** What the names in a part of a template refer to. */
interface Frame {
  readonly self: unknown;
  /** Path of `self` from the root, such as `items[]`. */
  readonly label: string;
  readonly params: ReadonlyMap<string, { readonly value: unknown; readonly label: string }>;
  readonly parent: Frame | undefined;
}

/**
 * The names of values that templates show with this data and that it does not have: `order.id`, `items[].price`. What only
 * stands in a condition is not asked for, nor what lies in a part that is not shown. A value of null is there. A template
 * that cannot be read is left to the renderer, and a very large one is not looked into.
 */
export function missingValues(sources: readonly string[], data: Data): string[] {
  const walk = new MissingWalk();
  for (const source of sources) {
    const program = source.includes('{{') ? parsed(source) : undefined;
    if (program) walk.program(program, { self: data, label: '', params: new Map(), parent: undefined });
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

  program(program: Program | undefined, frame: Frame): void {
    for (const statement of program?.body ?? []) {
      if (--this.looks < 0 || this.found.size >= MAX_NAMES) return;
      if (statement.type === 'MustacheStatement') this.shown(statement, frame);
      else if (statement.type === 'BlockStatement') this.block(statement, frame);
    }
  }

  /** What a call puts out needs all of its values. */
  private shown(call: Call, frame: Frame): void {
    const name = helperOf(call, frame);
    if (name === undefined && !hasArguments(call)) return this.need(call.path, frame);
    if (name !== undefined && COMPARING.has(name)) return;
    const asked = name === 'lookup' ? call.params.slice(0, 1) : [...call.params, ...hashValues(call)];
    for (const one of asked) this.need(one, frame);
  }

  private need(expression: Expression, frame: Frame): void {
    if (expression.type === 'SubExpression') return this.shown(expression, frame);
    if (expression.type !== 'PathExpression') return;
    const { value, label } = lookUp(expression, frame);
    if (value === undefined && label !== '') {
      this.found.add(label.length > MAX_NAME_LENGTH ? `${label.slice(0, MAX_NAME_LENGTH)}…` : label);
    }
  }

  private block(block: BlockStatement, frame: Frame): void {
    const name = helperOf(block, frame);
    if (name === 'if' || name === 'unless') return this.condition(block, frame, name === 'unless');
    if (name === 'each') return this.each(block, frame);
    if (name === 'with') return this.section(block, block.params[0], frame);
    if (name === undefined) return this.section(block, block.path, frame);
    if (!COMPARING.has(name)) return this.shown(block, frame);
    const value = evaluate({ type: 'SubExpression', path: block.path, params: block.params, hash: block.hash }, frame);
    if (value !== UNKNOWN) this.program(value ? block.program : block.inverse, frame);
  }

  private condition(block: BlockStatement, frame: Frame, isReversed: boolean): void {
    const [condition] = block.params;
    const value = condition === undefined ? UNKNOWN : evaluate(condition, frame);
    if (value === UNKNOWN) return;
    const isZeroTrue = block.hash?.pairs.some(({ key }) => key === 'includeZero') === true && value === 0;
    this.program((isTrue(value) || isZeroTrue) !== isReversed ? block.program : block.inverse, frame);
  }

  /** A list that is missing leaves nothing in its place, unless the template says what comes then. */
  private each(block: BlockStatement, frame: Frame): void {
    const [list] = block.params;
    if (list === undefined) return;
    const value = evaluate(list, frame);
    if (value === UNKNOWN) return;
    if (value === undefined && block.inverse === undefined) return this.need(list, frame);
    const items = typeof value === 'object' && value !== null ? entriesOf(value) : [];
    if (items.length === 0) return this.program(block.inverse, frame);
    this.items(block, items, `${labelOf(list, frame)}[]`, frame);
  }

  /** `{{#x}}` and `{{#with x}}` ask whether there is an x. */
  private section(block: BlockStatement, subject: Expression | undefined, frame: Frame): void {
    const value = subject === undefined ? UNKNOWN : evaluate(subject, frame);
    if (value === UNKNOWN || subject === undefined) return;
    if (value === true) return this.program(block.program, frame);
    if (!isTrue(value)) return this.program(block.inverse, frame);
    const label = labelOf(subject, frame);
    const isList = Array.isArray(value) && subject === block.path;
    this.items(block, isList ? (value as unknown[]) : [value], isList ? `${label}[]` : label, frame);
  }

  private items(block: BlockStatement, items: readonly unknown[], label: string, parent: Frame): void {
    const [param, place] = block.program?.blockParams ?? [];
    for (const [index, self] of items.slice(0, MAX_ITEMS).entries()) {
      const params = new Map(parent.params);
      if (param !== undefined) params.set(param, { value: self, label });
      if (place !== undefined) params.set(place, { value: index, label: '' });
      this.program(block.program, { self, label, params, parent });
    }
  }
}

/** The first values of a list or an object. */
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
function helperOf(call: Call, frame: Frame): string | undefined {
  const name = calledName(call);
  return name !== undefined && HELPER_NAMES.has(name) && !frame.params.has(name) ? name : undefined;
}

/** The value of an expression; only helpers that compare are carried out. */
function evaluate(expression: Expression, frame: Frame): unknown {
  if (expression.type === 'PathExpression') {
    const name = calledName({ path: expression, params: [] });
    const isHelper = name !== undefined && HELPER_NAMES.has(name) && !frame.params.has(name);
    return isHelper ? UNKNOWN : lookUp(expression, frame).value;
  }
  if (expression.type !== 'SubExpression') return expression.value;
  const name = helperOf(expression, frame);
  const helper = name !== undefined && COMPARING.has(name) ? compare[name] : undefined;
  const values = expression.params.map((param) => evaluate(param, frame));
  return helper === undefined || values.includes(UNKNOWN) ? UNKNOWN : helper(values, {});
}

/** What a path refers to. A label of no characters means that it cannot be missing. */
function lookUp(path: PathExpression, frame: Frame): { value: unknown; label: string } {
  const { parts, depth, data } = path;
  const [first, ...rest] = parts;
  if (data) {
    if (first === 'root') return follow(rootOf(frame).self, '', rest);
    return { value: LOOP_DATA.has(first ?? '') ? UNKNOWN : undefined, label: '' };
  }
  const param = depth === 0 && first !== undefined && !isExplicitThis(path) ? frame.params.get(first) : undefined;
  if (param !== undefined) return follow(param.value, param.label, rest);
  let at: Frame | undefined = frame;
  for (let level = 0; level < depth; level++) at = at?.parent;
  return at === undefined ? { value: undefined, label: '' } : follow(at.self, at.label, parts);
}

function follow(start: unknown, label: string, parts: readonly string[]): { value: unknown; label: string } {
  const name = [label, ...parts].filter((part) => part !== '').join('.');
  let value = start;
  for (const part of parts) {
    const holder: unknown = value;
    if (holder === undefined || holder === null) return { value: undefined, label: name };
    value = Object.hasOwn(Object(holder) as object, part) ? (holder as Data)[part] : undefined;
  }
  return { value, label: name };
}

function rootOf(frame: Frame): Frame {
  return frame.parent === undefined ? frame : rootOf(frame.parent);
}

function labelOf(expression: Expression, frame: Frame): string {
  return expression.type === 'PathExpression' ? lookUp(expression, frame).label : '';
}

/** As Handlebars decides: empty lists are false, and so is 0. */
function isTrue(value: unknown): boolean {
  return Boolean(value) && !(Array.isArray(value) && value.length === 0);
}
