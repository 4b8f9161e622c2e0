import type SanitizeHtml from 'sanitize-html';

const BLOCKS = ['p', 'div', 'tr', 'table', 'ul', 'ol', 'blockquote', 'pre', 'section', 'article', 'header', 'footer'];
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const PARAGRAPHS = new Set(['p', 'table', 'ul', 'ol', 'blockquote', ...HEADINGS]);
const LINES = new Set([...BLOCKS, ...HEADINGS, 'li']);
const TOKEN = /<(\/?)([a-z0-9]+)([^>]*)>|([^<]+)/gi;
const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

/**
 * The text alternative of a mail: paragraphs apart, list items with a dash, links with their address in parentheses,
 * images by their alternative text; style sheets, scripts and hidden parts are left out.
 */
export function htmlToText(sanitize: typeof SanitizeHtml, html: string): string {
  // Once sanitized, markup is well-formed and its attributes quoted and escaped, so that plain scanning is enough.
  const simple = sanitize(html, {
    allowedTags: [...BLOCKS, ...HEADINGS, 'li', 'a', 'br', 'hr', 'img', 'td', 'th'],
    allowedAttributes: { a: ['href'], img: ['alt'] },
    nonTextTags: ['style', 'script', 'textarea', 'option', 'noscript', 'title', 'head'],
    exclusiveFilter: ({ attribs }) => /display\s*:\s*none/i.test(attribs.style ?? ''),
  });
  const writer = new TextWriter();
  for (const [, close, tag, attributes = '', text] of simple.matchAll(TOKEN)) {
    if (text !== undefined) writer.text(decode(text));
    else if (tag !== undefined) writer.tag(tag.toLowerCase(), close === '/', attributes);
  }
  return writer.toString();
}

class TextWriter {
  private output = '';
  private link?: { href: string; start: number };

  text(text: string): void {
    const words = text.replace(/\s+/g, ' ');
    this.output += this.output === '' || /\s$/.test(this.output) ? words.trimStart() : words;
  }

  tag(tag: string, isClosing: boolean, attributes: string): void {
    if (tag === 'a') return isClosing ? this.closeLink() : this.openLink(attributes);
    if (tag === 'br') return this.write('\n');
    if (tag === 'hr') return this.paragraph('----------\n');
    if (tag === 'img') return this.text(attribute(attributes, 'alt'));
    if (tag === 'td' || tag === 'th') return isClosing ? this.text(' ') : undefined;
    if (PARAGRAPHS.has(tag)) this.paragraph();
    else if (LINES.has(tag)) this.line();
    if (tag === 'li' && !isClosing) this.write('- ');
  }

  toString(): string {
    return this.output
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
  }

  private openLink(attributes: string): void {
    this.link = { href: attribute(attributes, 'href'), start: this.output.length };
  }

  /** A link whose text already is its address needs no second mention. */
  private closeLink(): void {
    const { href, start } = this.link ?? { href: '', start: 0 };
    this.link = undefined;
    const label = this.output.slice(start).trim();
    const address = href.replace(/^(mailto|tel):/i, '');
    if (address === '' || address.startsWith('#') || label === address) return;
    this.output = `${this.output.trimEnd()}${label === '' ? address : ` (${address})`}`;
  }

  private line(): void {
    if (this.output !== '' && !this.output.endsWith('\n')) this.write('\n');
  }

  private paragraph(after = ''): void {
    this.line();
    if (this.output !== '' && !this.output.endsWith('\n\n')) this.write('\n');
    this.write(after);
  }

  private write(text: string): void {
    this.output += text;
  }
}

function attribute(attributes: string, name: string): string {
  const match = new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(attributes);
  return decode(match?.[1] ?? '');
}

function decode(text: string): string {
  return text.replace(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity] ?? entity).replaceAll('\u00a0', ' ');
}
