import { handlebarsLanguage } from './handlebars-language.js';
import type { Language } from './language.js';
import { liquidLanguage } from './liquid-language.js';
import { TemplateError } from './template-error.js';
import type { TemplateLanguage } from './template.types.js';
import { visitTexts } from './visit-texts.js';

type Data = Readonly<Record<string, unknown>>;

const LANGUAGES: Readonly<Record<TemplateLanguage, Language>> = {
  handlebars: handlebarsLanguage,
  liquid: liquidLanguage,
};

export function languageOf(name: TemplateLanguage | null | undefined): Language {
  return LANGUAGES[name ?? 'handlebars'];
}

/** Text without an expression of any language is its own result. */
export function hasExpression(text: string): boolean {
  return text.includes('{{') || text.includes('{%');
}

export type ParseResult = { ok: true } | { ok: false; message: string; line?: number; column?: number };

/** For use when a template is saved. Never throws. */
export function parseTemplate(source: string, language?: TemplateLanguage | null): ParseResult {
  try {
    languageOf(language).read(source);
    return { ok: true };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return { ok: false, message: error.message, line: error.line, column: error.column };
  }
}

export function isSmall(source: string, language?: TemplateLanguage | null): boolean {
  try {
    languageOf(language).size(source);
    return true;
  } catch {
    return false;
  }
}

/** Of all texts of plain data together. */
const MAX_ALL_PARTS = 10_000;

/** Why plain data has too many expressions in all its texts to be read at once; undefined if it has not. */
export function sizeFault(value: unknown, language?: TemplateLanguage | null): string | undefined {
  let parts = 0;
  visitTexts(value, [], (text) => {
    // What is too large by itself is refused at its place, without being parsed.
    if (parts > MAX_ALL_PARTS || !hasExpression(text) || !isSmall(text, language)) return;
    parts += languageOf(language).size(text);
  });
  if (parts <= MAX_ALL_PARTS) return undefined;
  return `has expressions of more than ${MAX_ALL_PARTS} names, values and signs in all its texts; use fewer, or another step`;
}

export function missingValues(sources: readonly string[], data: Data, language?: TemplateLanguage | null): string[] {
  return languageOf(language).missing(sources, data);
}

/** What a payload is in the templates of a workflow. */
export function payloadRoots(payload: Data, language?: TemplateLanguage | null): Data {
  return languageOf(language).roots(payload);
}

export type JudgedLanguage = TemplateLanguage | 'any';

/** Of the document that is being checked: checks are synchronous. */
let judged: JudgedLanguage = 'handlebars';

/** The words of templates (`template` and others) judge them in this language meanwhile; in `any`, what could be read later. */
export function judgedIn<T>(language: JudgedLanguage, check: () => T): T {
  const before = judged;
  judged = language;
  try {
    return check();
  } finally {
    judged = before;
  }
}

/** As {@link parseTemplate}, in the language of the document that is being checked. */
export function judgeTemplate(source: string): ParseResult {
  if (judged === 'any') return { ok: true };
  const result = parseTemplate(source, judged);
  if (result.ok || judged !== 'handlebars' || !LIKE_LIQUID.test(source)) return result;
  return { ...result, message: `${result.message}; if it is Liquid, set the workflow's templateLanguage to liquid` };
}

/** A tag or a filter. */
const LIKE_LIQUID = /\{%-?\s*\w|\{\{[^{}#]*\|/;
