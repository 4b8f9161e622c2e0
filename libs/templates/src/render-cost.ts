import { LRUCache } from 'lru-cache';
import { hashValues, type BlockStatement, type Call, type Program } from './ast.js';
import { helperOf } from './helper-names.js';
import { parseSource } from './syntax.js';
import { isSmall } from './template-size.js';
import { type Dictionary, T_HELPER } from './translate.js';

/** At most 20 ms on the event loop. */
const MAX_OPERATIONS = 5_000;
const MAX_CHARACTERS = 500_000;
/** Longer sources are not parsed on the event loop. */
const MAX_SOURCE = 20_000;
const MAX_EXPRESSIONS = 200;
/** Characters of the messages that may have to be read on the event loop: at most 50 ms. A placeholder counts as some. */
const MAX_MESSAGES = 12_000;
const BRACE_CHARACTERS = 50;
/** Values with more parts or characters are heavy and not examined further. */
const HEAVY_PARTS = 1_000;
const HEAVY_CHARACTERS = 100_000;

export interface Weight {
  parts: number;
  characters: number;
}

interface TemplateCost {
  expressions: number;
  /** Calls of `t` among them. */
  translations: number;
  depth: number;
  characters: number;
}

const costs = new LRUCache<string, TemplateCost>({
  maxSize: 5_000_000,
  sizeCalculation: (_, source) => source.length + 100,
});

/** Template and data are small enough to be fast in any case. */
export function isCheap(source: string, data: Weight, dictionary?: Dictionary): boolean {
  return outputOf(source, data, dictionary) !== undefined;
}

/** In characters; undefined if the template is not cheap. */
export function outputOf(source: string, data: Weight, dictionary?: Dictionary): number | undefined {
  const cost = costOf(source);
  if (cost === undefined || cost.expressions > MAX_EXPRESSIONS) return undefined;
  const passes = Math.max(1, data.parts) ** cost.depth;
  const { longest = 0, braces = 0 } = dictionary ?? {};
  if (passes * cost.translations * (longest + BRACE_CHARACTERS * braces) > MAX_MESSAGES) return undefined;
  const translated = cost.translations * (longest + braces * data.characters);
  const output = passes * (cost.characters + cost.expressions * data.characters + translated);
  const isSmall = passes * Math.max(1, cost.expressions) <= MAX_OPERATIONS && output <= MAX_CHARACTERS;
  return isSmall ? output : undefined;
}

export function isHeavy(value: unknown): boolean {
  const { parts, characters } = weightOf(value);
  return parts > HEAVY_PARTS || characters > HEAVY_CHARACTERS;
}

/** Stops once the value is heavy, so that weighing is cheap too. */
export function weightOf(value: unknown): Weight {
  const weight = { parts: 0, characters: 0 };
  const open: unknown[] = [value];
  while (open.length > 0 && weight.parts <= HEAVY_PARTS && weight.characters <= HEAVY_CHARACTERS) {
    const item = open.pop();
    weight.parts += 1;
    if (typeof item === 'string') weight.characters += item.length;
    else if (typeof item === 'object' && item !== null) openUp(item, open, weight);
    else weight.characters += 10;
  }
  return weight;
}

/** Listing their keys is slow, and the recipients of an event share the objects. */
const largeObjects = new WeakSet();

function openUp(item: object, open: unknown[], weight: Weight): void {
  const isLarge = Array.isArray(item) ? item.length > HEAVY_PARTS : largeObjects.has(item);
  if (isLarge) {
    weight.parts += HEAVY_PARTS + 1;
    return;
  }
  let entries = 0;
  for (const key in item) {
    entries += 1;
    weight.characters += key.length;
    open.push((item as Record<string, unknown>)[key]);
    if (entries > HEAVY_PARTS) {
      largeObjects.add(item);
      break;
    }
  }
}

/** @returns undefined for a source that is too long to parse here @throws {TemplateError} */
function costOf(source: string): TemplateCost | undefined {
  if (!source.includes('{{')) return { expressions: 0, translations: 0, depth: 0, characters: source.length };
  if (source.length > MAX_SOURCE || !isSmall(source)) return undefined;
  const known = costs.get(source);
  if (known !== undefined) return known;
  const cost = { expressions: 0, translations: 0, depth: 0, characters: source.length };
  addProgram(parseSource(source), 0, cost);
  costs.set(source, cost);
  return cost;
}

function addProgram(program: Program, depth: number, cost: TemplateCost): void {
  cost.depth = Math.max(cost.depth, depth);
  for (const statement of program.body) {
    if (statement.type === 'MustacheStatement') addCall(statement, cost);
    if (statement.type !== 'BlockStatement') continue;
    addCall(statement, cost);
    if (statement.program) addProgram(statement.program, depth + Number(isLoop(statement)), cost);
    if (statement.inverse) addProgram(statement.inverse, depth, cost);
  }
}

function isLoop(block: BlockStatement): boolean {
  const name = helperOf(block);
  return name === undefined || name === 'each';
}

function addCall(call: Call, cost: TemplateCost): void {
  cost.expressions += 1;
  if (helperOf(call) === T_HELPER) cost.translations += 1;
  for (const value of [...call.params, ...hashValues(call)]) {
    if (value.type === 'SubExpression') addCall(value, cost);
  }
}
