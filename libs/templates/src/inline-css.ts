import type Juice from 'juice';

/**
 * Selectors times declarations times elements: two seconds at worst. Beyond it the style sheet stays in place, which
 * most mail programs understand.
 */
const MAX_WORK = 250_000;
/** Longest selector of ordinary mail, such as `table.content td a:hover`. */
const PLAIN_PARTS = 6;
/** The inliner's time grows with the square of the number of elements. */
const MAX_ELEMENTS = 5_000;

let inliner: Promise<typeof Juice> | undefined;

/**
 * Moves `<style>` rules into `style` attributes, except media queries. Fetches nothing. HTML without a style sheet that
 * can be parsed is returned unchanged.
 */
export async function inlineCss(html: string): Promise<string> {
  const css = styleSheetsOf(html);
  const elements = countOf(html, /<[a-z]/gi);
  if (css.trim() === '' || elements > MAX_ELEMENTS || elements * weightOf(css) > MAX_WORK) return html;
  inliner ??= import('juice').then((module) => module.default);
  const juice = await inliner;
  try {
    return juice(html, { applyWidthAttributes: false, applyHeightAttributes: false });
  } catch {
    return html;
  }
}

/** A regular expression would take quadratic time for an unclosed element. */
function styleSheetsOf(html: string): string {
  const lower = html.toLowerCase();
  const sheets: string[] = [];
  for (let start = lower.indexOf('<style'); start >= 0; start = lower.indexOf('<style', start + 1)) {
    const end = lower.indexOf('</style', start);
    if (end < 0) break;
    sheets.push(html.slice(html.indexOf('>', start) + 1, end));
    start = end;
  }
  return sheets.join('\n');
}

/**
 * A lower bound. Each selector counts with the square of its parts, because each part is searched for among ancestors.
 */
function weightOf(css: string): number {
  let weight = 0;
  let selectors = 1;
  for (const part of css.split('}')) {
    const opening = part.lastIndexOf('{');
    if (opening >= 0) selectors = selectorWeight(part.slice(0, opening));
    weight += selectors * (countOf(part.slice(opening + 1), /;/g) + 2);
  }
  return weight;
}

const SELECTOR_PARTS = /[^\s,>+~.:#[\]()*="']+|\*/g;

function selectorWeight(selectors: string): number {
  return selectors.split(/[{,]/).reduce((sum, selector) => {
    const parts = Math.max(1, countOf(selector, SELECTOR_PARTS));
    // `:not(b *)` searches all ancestors of each element, however short it is.
    const isPlain = parts <= PLAIN_PARTS && !selector.includes('(');
    return sum + (isPlain ? 1 : parts * parts);
  }, 0);
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
