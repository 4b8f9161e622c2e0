import { languageOf } from './languages.js';
import type { TemplateLanguage } from './template.types.js';
import type { Dictionary } from './translate.js';

/** At most 20 ms on the event loop. */
const MAX_OPERATIONS = 5_000;
const MAX_CHARACTERS = 500_000;
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

interface CostSettings {
  readonly dictionary?: Dictionary | undefined;
  readonly language?: TemplateLanguage | undefined;
}

/** Template and data are small enough to be fast in any case. */
export function isCheap(source: string, data: Weight, { dictionary, language }: CostSettings = {}): boolean {
  return outputOf(source, data, { dictionary, language }) !== undefined;
}

/** In characters; undefined if the template is not cheap. */
export function outputOf(
  source: string,
  data: Weight,
  { dictionary, language }: CostSettings = {},
): number | undefined {
  const cost = languageOf(language).cost(source);
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
