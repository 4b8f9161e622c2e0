import type Juice from 'juice';

/**
 * Selectors times elements, the measure of the inliner's work: some 400 ms at this limit. Beyond it the style sheet
 * stays where it is, which most mail programs understand.
 */
const MAX_MATCHES = 100_000;

let inliner: Promise<typeof Juice> | undefined;

/**
 * Moves the rules of `<style>` elements into `style` attributes, as mail programs want it; media queries and the like
 * stay. Never fetches anything. HTML without a style sheet, or with one that cannot be read, comes back as it was.
 */
export async function inlineCss(html: string): Promise<string> {
  const css = styleSheetsOf(html);
  if (css.trim() === '' || countOf(css, /[{,]/g) * countOf(html, /<[a-z]/gi) > MAX_MATCHES) return html;
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

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
