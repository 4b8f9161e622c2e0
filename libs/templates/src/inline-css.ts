import type Juice from 'juice';

/**
 * Most work that the inliner is given: what each rule's selectors and declarations come to for every element. Some two
 * seconds at the very worst, a fraction of that for mail as people write it. Beyond it the style sheet stays where it is,
 * which most mail programs understand.
 */
const MAX_WORK = 250_000;
/** Selectors as people write them, such as `table.content td a:hover`. */
const PLAIN_PARTS = 6;
/** The inliner's time grows with the square of the elements. */
const MAX_ELEMENTS = 5_000;

let inliner: Promise<typeof Juice> | undefined;

/**
 * Moves the rules of `<style>` elements into `style` attributes, as mail programs want it; media queries and the like
 * stay. Never fetches anything. HTML without a style sheet, or with one that cannot be read, comes back as it was.
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

/** By plain search: regular expressions for elements take quadratic time when one is left open. */
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
 * Selectors times declarations, summed over the rules: at least, however odd the style sheet is. A selector counts with the
 * square of its parts, since each part is looked for among the ancestors of what the others match.
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

/** Names, classes, ids, attributes, pseudo-classes and `*`, whatever joins them. */
const SELECTOR_PARTS = /[^\s,>+~.:#[\]()*="']+|\*/g;

function selectorWeight(selectors: string): number {
  return selectors.split(/[{,]/).reduce((sum, selector) => {
    const parts = Math.max(1, countOf(selector, SELECTOR_PARTS));
    // `:not(b *)` looks at all ancestors of each element, however short it is.
    const isPlain = parts <= PLAIN_PARTS && !selector.includes('(');
    return sum + (isPlain ? 1 : parts * parts);
  }, 0);
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
