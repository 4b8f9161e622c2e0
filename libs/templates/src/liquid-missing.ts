import {
  AssignTag,
  CaptureTag,
  CaseTag,
  type Context,
  evalToken,
  ForTag,
  IfTag,
  isTruthy,
  Output,
  type Template,
  type Token,
  toValueSync,
  UnlessTag,
  type Value,
} from 'liquidjs';
import { readingContext } from './liquid-engine.js';
import { childrenOf, pathsIn } from './liquid-walk.js';

const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 100;
/** Per call, passes through lists included. */
const MAX_LOOKS = 5_000;
const MAX_ITEMS = 50;
/** They show something else in place of a missing value, or test it. */
const ANSWERING = new Set(['default', 'json', 'size']);

/** Values that templates show and the data lacks. Ignores nulls, conditions and parts that are not shown. */
export class LiquidMissing {
  readonly found = new Set<string>();
  private looks = MAX_LOOKS;
  private readonly context: Context;

  constructor(data: object) {
    this.context = readingContext(data);
  }

  /** @param labels of variables that stand for items: `item` is `items[]` */
  walk(templates: readonly Template[], labels: ReadonlyMap<string, string> = new Map()): void {
    for (const template of templates) {
      if (--this.looks < 0 || this.found.size >= MAX_NAMES) return;
      if (template instanceof Output) this.shown(template.value, labels);
      else if (template instanceof IfTag) this.branches(template, labels, (value) => isTruthy(value, this.context));
      else if (template instanceof UnlessTag) this.branches(template, labels);
      else if (template instanceof CaseTag) this.cases(template, labels);
      else if (template instanceof ForTag) this.items(template, labels);
      else if (template instanceof AssignTag || template instanceof CaptureTag) this.define(template);
      else this.walk(childrenOf(template), labels);
    }
  }

  private shown(value: Value, labels: ReadonlyMap<string, string>): void {
    if (value.initial.postfix.length !== 1 || value.filters.some(({ name }) => ANSWERING.has(name))) return;
    this.need(value, labels);
  }

  private need(value: unknown, labels: ReadonlyMap<string, string>): void {
    for (const { names, token } of pathsIn(value)) {
      if (names[0] === 't' || this.valueOf(token) !== undefined) continue;
      const [first = '', ...rest] = names[0] === 'payload' && names.length > 1 ? names.slice(1) : names;
      const label = [labels.get(first) ?? first, ...rest].join('.');
      this.found.add(label.length > MAX_NAME_LENGTH ? `${label.slice(0, MAX_NAME_LENGTH)}…` : label);
    }
  }

  private branches(
    { branches, elseTemplates }: IfTag | UnlessTag,
    labels: ReadonlyMap<string, string>,
    isTrue?: (value: unknown) => boolean,
  ): void {
    for (const branch of branches) {
      const value = this.resultOf(branch.value);
      const test = isTrue ?? ('test' in branch ? (one: unknown) => branch.test(one, this.context) : undefined);
      if (test?.(value) === true) return this.walk(branch.templates, labels);
    }
    this.walk(elseTemplates ?? [], labels);
  }

  private cases({ value, branches, elseTemplates }: CaseTag, labels: ReadonlyMap<string, string>): void {
    const target = this.resultOf(value);
    const hit = branches.filter(({ values }) => values.some((one) => this.valueOf(one) === target));
    if (hit.length === 0) return this.walk(elseTemplates, labels);
    for (const { templates } of hit) this.walk(templates, labels);
  }

  /** A missing list counts as missing only if the loop says nothing in its place. */
  private items(tag: ForTag, labels: ReadonlyMap<string, string>): void {
    const { collection, templates, elseTemplates, variable } = tag;
    const list = this.valueOf(collection);
    if (list === undefined && elseTemplates.length === 0) return this.need(collection, labels);
    const all: unknown[] = Array.isArray(list) ? (list as unknown[]) : [];
    if (all.length === 0) return this.walk(elseTemplates, labels);
    const [path] = pathsIn(collection);
    const own = new Map([
      ...labels,
      [variable, `${(path?.names ?? []).filter((one) => one !== 'payload').join('.')}[]`],
    ]);
    for (const item of all.slice(0, MAX_ITEMS)) {
      this.context.push({ [variable]: item, forloop: {} });
      this.walk(templates, own);
      this.context.pop();
    }
  }

  /** What the template defines itself is not missing. */
  private define(template: Template): void {
    for (const one of template.localScope?.() ?? [])
      this.context.bottom()[typeof one === 'string' ? one : one.content] = null;
    const [value] = template.arguments?.() ?? [];
    const [name] = template.localScope?.() ?? [];
    if (value && 'filters' in value && 'value' in value && name) {
      this.context.bottom()[name.content] = this.resultOf(value) ?? null;
    }
  }

  private resultOf(value: Value): unknown {
    return toValueSync(value.value(this.context, true));
  }

  private valueOf(token: Token): unknown {
    return toValueSync(evalToken(token, this.context, true));
  }
}
