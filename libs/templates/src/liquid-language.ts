import type { Template } from 'liquidjs';
import { LRUCache } from 'lru-cache';
import { LiquidEngine, readLiquid } from './liquid-engine.js';
import { LiquidMissing } from './liquid-missing.js';
import { liquidPlaces, liquidSize } from './liquid-source.js';
import { liquidCost, liquidVariables } from './liquid-walk.js';
import type { Language } from './language.js';
import { MAX_CHEAP_SOURCE, type TemplateCost } from './template-cost.js';

/** Read for warnings only when it is quick. */
const MAX_MISSING_SOURCE = 50_000;

const templates = new LRUCache<string, readonly Template[]>({
  maxSize: 5_000_000,
  sizeCalculation: (_, source) => 4 * source.length + 500,
});

export const liquidLanguage: Language = {
  size: liquidSize,
  read: (source) => void read(source),
  check: (source) => void read(source),
  variables: (source) => (isText(source) ? [] : liquidVariables(read(source))),
  missing,
  cost,
  places: liquidPlaces,
  roots: (payload) => ({ payload, ...payload }),
  engine: (settings) => {
    const engine = new LiquidEngine(settings);
    return (source, escaping) => engine.compile(source, escaping);
  },
};

function read(source: string): readonly Template[] {
  const known = templates.get(source) ?? readLiquid(source);
  templates.set(source, known);
  return known;
}

function isText(source: string): boolean {
  return !source.includes('{{') && !source.includes('{%');
}

function cost(source: string): TemplateCost | undefined {
  if (isText(source)) return { expressions: 0, translations: 0, depth: 0, characters: source.length };
  return source.length > MAX_CHEAP_SOURCE ? undefined : liquidCost(read(source), source);
}

function missing(sources: readonly string[], data: Readonly<Record<string, unknown>>): string[] {
  const walk = new LiquidMissing(data);
  for (const source of sources) {
    if (isText(source) || source.length > MAX_MISSING_SOURCE) continue;
    try {
      walk.walk(read(source));
    } catch {
      // What cannot be read or rendered says so itself.
    }
  }
  return [...walk.found];
}
