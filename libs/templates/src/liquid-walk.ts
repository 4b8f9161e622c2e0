import {
  CaptureTag,
  CaseTag,
  ForTag,
  IfTag,
  Output,
  TablerowTag,
  type Template,
  TypeGuards,
  UnlessTag,
  Value,
  type Token,
} from 'liquidjs';
import { MAX_NESTING, UNSAFE_NAMES } from './syntax-policy.js';
import { TemplateError } from './template-error.js';
import type { TemplateCost } from './template-cost.js';
import type { FoundVariable, VariableType } from './template.types.js';

/** Members of the whole list or text, and not of what it holds. */
const OF_LISTS = new Set(['size', 'first', 'last']);
/** Their value is a list. */
const LIST_FILTERS = new Set([
  ...['join', 'map', 'where', 'reject', 'sort', 'sort_natural', 'uniq', 'reverse', 'compact', 'concat', 'group_by'],
  ...['first', 'last', 'find', 'sum', 'toSentence', 'digest', 'array_to_sentence_string'],
]);
/** What they make is about as long as what they get. */
const CHEAP_FILTERS = new Set([
  ...['default', 'upcase', 'downcase', 'capitalize', 'titlecase', 'strip', 'lstrip', 'rstrip', 'strip_html', 'escape'],
  ...['escape_once', 'raw', 'size', 'first', 'last', 'abs', 'ceil', 'floor', 'round', 'plus', 'minus', 'times'],
  ...['divided_by', 'modulo', 'at_least', 'at_most', 'truncate', 'date', 'dateFormat', 'numberFormat', 'uriEncode'],
  ...['url_encode', 'json', 'pluralize', 'toSentence', 'digest', 't', 't_html', 'newline_to_br'],
]);

/** A path into the data, as far as it is known, and where it stands. */
interface ReadPath {
  readonly names: readonly string[];
  readonly token: Token;
}

export function childrenOf(template: Template): Template[] {
  const found: Template[] = [];
  // The library's generators take no part of the work: without partial templates, they only return.
  const children = template.children?.(false, true).next().value as Template[] | undefined;
  if (children) found.push(...children);
  return found;
}

/** Nesting, and names that could lead to prototypes. @throws {TemplateError} */
export function assertAllowedLiquid(templates: readonly Template[], depth = 0): void {
  for (const template of templates) {
    if (depth > MAX_NESTING) {
      throw new TemplateError(`tags may be nested at most ${MAX_NESTING} levels deep`, positionOf(template.token));
    }
    for (const argument of template.arguments?.() ?? []) {
      for (const { names, token } of pathsIn(argument)) {
        const unsafe = names.find((name) => UNSAFE_NAMES.has(name));
        if (unsafe !== undefined) {
          throw new TemplateError(`the name "${unsafe}" is not allowed in a template`, positionOf(token));
        }
      }
    }
    assertAllowedLiquid(childrenOf(template), depth + 1);
  }
}

function positionOf(token: Token): { line?: number; column?: number } {
  const [line, column] = token.getPosition();
  return { ...(line && { line }), ...(column && { column }) };
}

/** All paths of a value, its filters' arguments included. */
export function* pathsIn(argument: unknown): Generator<ReadPath> {
  if (argument instanceof Value) {
    for (const token of argument.initial.postfix) yield* pathsOfToken(token);
    for (const { args } of argument.filters) {
      for (const one of args) yield* pathsOfToken(Array.isArray(one) ? one[1] : one);
    }
  } else yield* pathsOfToken(argument);
}

function* pathsOfToken(token: unknown): Generator<ReadPath> {
  if (TypeGuards.isRangeToken(token)) {
    yield* pathsOfToken(token.lhs);
    yield* pathsOfToken(token.rhs);
  }
  if (!TypeGuards.isPropertyAccessToken(token)) return;
  const names: string[] = [];
  let isKnown = token.variable === undefined;
  for (const part of token.props) {
    if (TypeGuards.isPropertyAccessToken(part)) {
      yield* pathsOfToken(part);
      isKnown = false;
    } else if (isKnown && 'content' in part) names.push(String(part.content));
  }
  if (names.length > 0) yield { names, token };
}

/** In order of appearance; the last type of a name wins. What tags define themselves is left out, and so are members of items. */
export function liquidVariables(templates: readonly Template[]): FoundVariable[] {
  const found = new Map<string, VariableType>();
  visit(templates, new Set(['t']), found);
  return [...found].map(([name, type]) => ({ name, type }));
}

function visit(templates: readonly Template[], local: Set<string>, found: Map<string, VariableType>): void {
  for (const template of templates) {
    const types = typesOf(template);
    for (const [place, argument] of [...(template.arguments?.() ?? [])].entries()) {
      for (const [index, { names }] of [...pathsIn(argument)].entries()) {
        if (!local.has(names[0] ?? '')) add(names, index === 0 ? types(argument, place) : 'String', found);
      }
    }
    for (const one of template.localScope?.() ?? []) local.add(typeof one === 'string' ? one : one.content);
    const own = template.blockScope?.();
    visit(childrenOf(template), own === undefined ? local : new Set([...local, ...own]), found);
  }
}

/** `payload.order.id` is `order.id` of the payload, as `order.id` is. */
function add(names: readonly string[], type: VariableType, found: Map<string, VariableType>): void {
  const path = names[0] === 'payload' ? names.slice(1) : [...names];
  const isOfList = path.length > 1 && OF_LISTS.has(path.at(-1) ?? '');
  const name = (isOfList ? path.slice(0, -1) : path).join('.');
  if (name !== '') found.set(name, isOfList ? 'Array' : type);
}

function typesOf(template: Template): (argument: unknown, place: number) => VariableType {
  if (template instanceof ForTag || template instanceof TablerowTag)
    return (_, place) => (place === 0 ? 'Array' : 'String');
  const isCondition = template instanceof IfTag || template instanceof UnlessTag;
  return (argument) => {
    if (!(argument instanceof Value)) return 'String';
    if (LIST_FILTERS.has(argument.filters[0]?.name ?? '')) return 'Array';
    const isBare = argument.initial.postfix.length === 1 && argument.filters.length === 0;
    return isCondition && isBare ? 'Boolean' : 'String';
  };
}

/** Undefined for what can make much of little: those templates are rendered in threads. */
export function liquidCost(templates: readonly Template[], source: string): TemplateCost | undefined {
  const cost = { expressions: 0, translations: 0, depth: 0, characters: source.length };
  return addCost(templates, 0, cost) ? cost : undefined;
}

function addCost(templates: readonly Template[], depth: number, cost: TemplateCost): boolean {
  cost.depth = Math.max(cost.depth, depth);
  return templates.every((template) => {
    const isLoop = template instanceof ForTag;
    const isKnown = isLoop || KNOWN.some((kind) => template instanceof kind) || template.arguments === undefined;
    if (!isKnown || template instanceof CaptureTag) return false;
    for (const argument of template.arguments?.() ?? []) if (!addArgument(argument, cost)) return false;
    return addCost(childrenOf(template), depth + Number(isLoop), cost);
  });
}

const KNOWN = [Output, IfTag, UnlessTag, CaseTag] as const;

function addArgument(argument: unknown, cost: TemplateCost): boolean {
  cost.expressions += 1;
  if (!(argument instanceof Value)) return !TypeGuards.isRangeToken(argument);
  if (argument.initial.postfix.some((token) => TypeGuards.isRangeToken(token))) return false;
  for (const { name, args } of argument.filters) {
    cost.expressions += 1;
    if (name === 't' || name === 't_html') cost.translations += 1;
    if (!CHEAP_FILTERS.has(name) || args.some((one) => TypeGuards.isRangeToken(Array.isArray(one) ? one[1] : one)))
      return false;
  }
  for (const { names } of pathsIn(argument)) if (names[0] === 't') cost.translations += 1;
  return true;
}
