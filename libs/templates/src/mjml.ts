import { createRequire } from 'node:module';
import { LRUCache } from 'lru-cache';
import type { Engine, ParserError } from 'mrml';
import { languageOf } from './languages.js';
import { MAX_SOURCE_BYTES } from './syntax.js';
import { TemplateError } from './template-error.js';
import type { TemplateLanguage } from './template.types.js';

const PACKAGE = 'mrml';
/** The compiler calls itself for each level; some 400 fill its stack, after which it cannot be used any more. */
const MAX_DEPTH = 100;
const MAX_ELEMENTS = 5_000;
/** Each gets a rule for each other. */
const MAX_CAROUSEL_IMAGES = 100;
const TAG = /<(\/?)([a-z][a-z0-9-]*)/gi;
const VOID_ELEMENTS = new Set(['br', 'img', 'hr', 'meta', 'link', 'input', 'col', 'wbr', 'area', 'base', 'source']);
const TOO_LONG = `its HTML is longer than ${MAX_SOURCE_BYTES} characters`;
const UNKNOWN = /<(mj-[a-z0-9-]{1,60})/;

const require = createRequire(import.meta.url);
let engine: Engine | undefined;
const compiled = new LRUCache<string, string>({
  maxSize: 4_000_000,
  sizeCalculation: (html, source) => html.length + source.length + 100,
});

/**
 * MJML as HTML with the same expressions, which are none of the compiler's business: values are inserted afterwards, so that no value can
 * become an element of MJML. Compiled once for each source. For threads: hostile sources can be slow.
 * @throws {TemplateError}
 */
export function mjmlToHtml(source: string, language: TemplateLanguage = 'handlebars'): string {
  const key = `${language}:${source}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  assertCompilable(source);
  const { text, expressions, mark } = withoutExpressions(source, language);
  const html = compile(text);
  const unknown = UNKNOWN.exec(html)?.[1];
  if (unknown !== undefined) throw new TemplateError(`MJML has no <${unknown}> in this place`);
  if (html.length > MAX_SOURCE_BYTES) throw new TemplateError(TOO_LONG);
  const [start = '', ...rest] = html.split(mark);
  let whole = start;
  for (const part of rest) {
    const end = part.indexOf(';');
    whole += `${expressions[Number(part.slice(0, end))] ?? ''}${part.slice(end + 1)}`;
    // An attribute for all elements repeats its expression in each.
    if (whole.length > MAX_SOURCE_BYTES) throw new TemplateError(TOO_LONG);
  }
  // As it is rendered: the compiler may have moved, repeated or left out expressions.
  languageOf(language).check(whole);
  compiled.set(key, whole);
  return whole;
}

function compile(text: string): string {
  engine ??= newEngine();
  const result = run(engine, text);
  if (result.type === 'error') {
    throw new TemplateError(result.origin === 'parser' ? describe(result.details, text) : 'it cannot be rendered');
  }
  if (result.warnings.some(({ kind }) => kind === 'inline-style-unsupported')) {
    throw new TemplateError(
      '<mj-style inline="inline"> is not supported: leave inline out, or set attributes with <mj-class>',
    );
  }
  return result.content;
}

function run(current: Engine, text: string): ReturnType<Engine['toHtml']> {
  try {
    return current.toHtml(text);
  } catch {
    engine = undefined;
    discard(current);
    throw new TemplateError('it needs too much memory');
  }
}

/** Its memory is in no good state: freed by the garbage collector, it would throw where nothing can catch it. */
function discard(failed: Engine): void {
  try {
    failed.free();
  } catch {
    // It is no longer registered for that, which is all that is needed.
  }
}

/** The package keeps one instance for each time that it is loaded. */
function newEngine(): Engine {
  Reflect.deleteProperty(require.cache, require.resolve(PACKAGE));
  const loaded = require(PACKAGE) as { readonly Engine: new () => Engine };
  const created = new loaded.Engine();
  // Nobody is asked for fonts that the author did not name.
  created.setRenderOptions({ disableComments: false, socialIconOrigin: null, fonts: {} });
  return created;
}

function assertCompilable(source: string): void {
  let depth = 0;
  let elements = 0;
  let images = 0;
  for (const { 1: close, 2: written = '', index } of source.matchAll(TAG)) {
    const name = written.toLowerCase();
    if (VOID_ELEMENTS.has(name)) continue;
    if (close === '/') {
      depth -= 1;
      continue;
    }
    elements += 1;
    images += name === 'mj-carousel-image' ? 1 : 0;
    depth += source[source.indexOf('>', index) - 1] === '/' ? 0 : 1;
    if (depth > MAX_DEPTH) throw new TemplateError(`elements of MJML may be nested at most ${MAX_DEPTH} levels deep`);
  }
  if (elements > MAX_ELEMENTS) throw new TemplateError(`MJML may hold at most ${MAX_ELEMENTS} elements`);
  if (images > MAX_CAROUSEL_IMAGES) {
    throw new TemplateError(`MJML may hold at most ${MAX_CAROUSEL_IMAGES} images in carousels`);
  }
}

interface Marked {
  readonly text: string;
  readonly expressions: readonly string[];
  readonly mark: string;
}

/** With `mark`, a number and `;` in place of each expression, which may hold what would be no XML. */
function withoutExpressions(source: string, language: TemplateLanguage): Marked {
  let mark = 'hbs';
  while (source.includes(mark)) mark += 'x';
  const expressions: string[] = [];
  let text = '';
  let at = 0;
  for (const { start, end } of languageOf(language).places(source)) {
    text += `${source.slice(at, start)}${mark}${expressions.length};`;
    expressions.push(source.slice(start, end));
    at = end;
  }
  return { text: text + source.slice(at), expressions, mark };
}

function describe(error: ParserError, text: string): string {
  switch (error.type) {
    case 'no-root-node':
      return 'it must be one <mjml> element';
    case 'include-loader-error':
      return '<mj-include> is not supported: put the content into the mail';
    case 'end-of-stream':
      return 'an element is not closed';
    case 'parser-error':
      return `it is no XML: ${error.source.slice(0, 200)}`;
    case 'missing-attribute':
      return `an element needs the attribute ${error.name}`;
    case 'size-limit':
      return 'it is too long';
    default: {
      const line = text.slice(0, error.position.start).split('\n').length;
      return `there is a part that is not allowed there (line ${line})`;
    }
  }
}
