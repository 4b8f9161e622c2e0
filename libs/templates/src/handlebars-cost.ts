import { LRUCache } from 'lru-cache';
import { hashValues, type BlockStatement, type Call, type Program } from './ast.js';
import { helperOf } from './helper-names.js';
import { parseSource } from './syntax.js';
import { MAX_CHEAP_SOURCE, type TemplateCost } from './template-cost.js';
import { sizeOf } from './template-size.js';
import { TemplateError } from './template-error.js';
import { T_HELPER } from './translate.js';

const costs = new LRUCache<string, TemplateCost>({
  maxSize: 5_000_000,
  sizeCalculation: (_, source) => source.length + 100,
});

/** @returns undefined for a source that is too long to parse here @throws {TemplateError} */
export function costOf(source: string): TemplateCost | undefined {
  if (!source.includes('{{')) return { expressions: 0, translations: 0, depth: 0, characters: source.length };
  if (source.length > MAX_CHEAP_SOURCE) return undefined;
  const known = costs.get(source);
  if (known !== undefined) return known;
  if (isTooLarge(source)) return undefined;
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

/** Stored before there were limits of size. */
function isTooLarge(source: string): boolean {
  try {
    sizeOf(source);
    return false;
  } catch (error) {
    if (error instanceof TemplateError) return true;
    throw error;
  }
}
