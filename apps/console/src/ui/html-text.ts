const HIDDEN = /<(script|style|title)\b[^]*?<\/\1\s*>|<!--[^]*?-->/gi;
const LINE_ENDS = /<(?:br|\/?(?:p|div|h[1-6]|li|tr|table|ul|ol|blockquote|form))\b[^>]*>/gi;
const TAG = /<\/?[a-z!][^>]*>/gi;
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi;

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/**
 * The text of a mail's HTML, for reading. It is shown as text and never as markup, so nothing depends on how well it is
 * cleaned. (A parser of the browser would apply the policy of the console to the mail, and complain.)
 */
export function textOfHtml(html: string): string {
  return html
    .replaceAll(HIDDEN, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(LINE_ENDS, '\n')
    .replaceAll(TAG, '')
    .replaceAll(ENTITY, (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    })
    .split('\n')
    .map((line) => line.trim())
    .filter((line, at, lines) => line !== '' || (at > 0 && lines[at - 1] !== ''))
    .join('\n')
    .trim();
}
