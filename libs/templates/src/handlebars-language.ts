import { expressionAt } from './expressions.js';
import { extractVariables } from './extract-variables.js';
import { costOf } from './handlebars-cost.js';
import { HandlebarsEngine } from './handlebars-engine.js';
import type { Language, Place } from './language.js';
import { missingValues } from './missing-values.js';
import { parseSource, parseStored } from './syntax.js';
import { sizeOf } from './template-size.js';

export const handlebarsLanguage: Language = {
  size: sizeOf,
  read: parseSource,
  check: parseStored,
  variables: extractVariables,
  missing: missingValues,
  cost: costOf,
  places,
  roots: (payload) => payload,
  engine: (settings) => {
    const engine = new HandlebarsEngine(settings);
    return (source, escaping) => engine.compile(source, escaping);
  },
};

function* places(source: string): Generator<Place> {
  for (let start = source.indexOf('{{'); start >= 0;) {
    const { end } = expressionAt(source, start);
    yield { start, end };
    start = source.indexOf('{{', end);
  }
}
