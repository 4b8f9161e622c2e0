import { mjmlToHtml } from './mjml.js';

/** The sheet of the plain frame, without its padding. */
const WIDTH = 552;
/** Stands where the content of a column comes. */
const MARK = 'herald-column';
const TEXT = 'padding="0" font-family="inherit" font-size="16px" line-height="1.5" color="inherit"';
const BODY = /<body[^>]*>([^]*)<\/body>/;
/** Beside each other where there is room; without the rules, columns stand below each other. */
const BESIDE = /<style type="text\/css">(@media only screen and [^<]*)<\/style>/;

function framed(count: number, isRtl: boolean): string {
  const [direction, align] = isRtl ? ['rtl', 'right'] : ['ltr', 'left'];
  const column = (gap: string): string =>
    `<mj-column padding="${gap}"><mj-text align="${align}" ${TEXT}>${MARK}</mj-text></mj-column>`;
  const columns = column(isRtl ? '0 0 0 16px' : '0 16px 0 0').repeat(count - 1) + column('0');
  return mjmlToHtml(
    `<mjml><mj-body width="${WIDTH}px"><mj-section padding="0" direction="${direction}">${columns}</mj-section></mj-body></mjml>`,
  );
}

/** @param columns HTML */
export function columnsHtml(columns: readonly string[], isRtl: boolean): string {
  if (columns.length === 0) return '';
  const [start = '', ...ends] = (BODY.exec(framed(columns.length, isRtl))?.[1] ?? '').split(MARK);
  return start + ends.map((end, place) => (columns[place] ?? '') + end).join('');
}

/** The rules for a mail with columns. @param counts how many columns stand beside each other */
export function columnRules(counts: readonly number[]): string {
  return [...new Set(counts)].map((count) => BESIDE.exec(framed(count, false))?.[1] ?? '').join('');
}
