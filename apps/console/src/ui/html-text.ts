/** Elements whose content is not text for the reader. */
const HIDDEN: ReadonlySet<string> = new Set(['script', 'style', 'title', 'template']);
const LINES: ReadonlySet<string> = new Set(
  'br p div h1 h2 h3 h4 h5 h6 li tr table ul ol blockquote form hr section'.split(' '),
);
const TAG_NAME = /^\/?[a-z][a-z0-9]*/i;
const COMMENT = '!--';
const COMMENT_END = '-->';
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi;

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/**
 * The text of a mail's HTML, for reading. It is shown as text and never as markup, so nothing depends on how well it is
 * cleaned. (A parser of the browser would apply the policy of the console to the mail, and complain.)
 */
export function textOfHtml(html: string): string {
  return withoutMarkup(html)
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

/** Goes through the text once: mails of strangers must not decide how long it takes. */
function withoutMarkup(html: string): string {
  const [first = '', ...chunks] = html.replaceAll(/\s+/g, ' ').split('<');
  let text = first;
  /** What ends the part that is being left out. */
  let until: string | undefined;
  for (const chunk of chunks) {
    const name = TAG_NAME.exec(chunk)?.[0].toLowerCase() ?? '';
    if (until === COMMENT_END || (until === undefined && chunk.startsWith(COMMENT))) {
      const end = chunk.indexOf(COMMENT_END);
      until = end < 0 ? COMMENT_END : undefined;
      if (end >= 0) text += chunk.slice(end + COMMENT_END.length);
    } else if (until !== undefined && name !== until) {
      continue;
    } else if (name === '' && !chunk.startsWith('!')) {
      text += `<${chunk}`;
    } else {
      until = HIDDEN.has(name) ? `/${name}` : undefined;
      if (LINES.has(name.replace('/', ''))) text += '\n';
      if (until === undefined && chunk.includes('>')) text += chunk.slice(chunk.indexOf('>') + 1);
    }
  }
  return text;
}
