import type SanitizeHtml from 'sanitize-html';
import { assertParsable } from './html-safety.js';

const BLOCKS = ['p', 'div', 'tr', 'table', 'ul', 'ol', 'blockquote', 'pre', 'section', 'article', 'header', 'footer'];
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const PARAGRAPHS = new Set(['p', 'table', 'ul', 'ol', 'blockquote', ...HEADINGS]);
const LINES = new Set([...BLOCKS, ...HEADINGS, 'li']);
const TOKEN = /<(\/?)([a-z0-9]+)((?:\s[^<>]*)?)>|([^<]+)/gi;
const ATTRIBUTES = { href: /\shref="([^"]*)"/i, alt: /\salt="([^"]*)"/i };
const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

/**
 * List items get a dash, links their address in parentheses, images their alternative text. Omits style sheets, scripts
 * and hidden elements.
 */
export function htmlToText(sanitize: typeof SanitizeHtml, html: string): string {
  assertParsable(html);
  // Sanitized markup is well-formed with quoted and escaped attributes, so scanning is enough.
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

/** Collects pieces: testing the end of a growing string would copy it each time. */
class TextWriter {
  private readonly pieces: string[] = [];
  private link?: { href: string; firstPiece: number };

  text(text: string): void {
    const words = text.replace(/\s+/g, ' ');
    this.write(this.isAfterSpace() ? words.trimStart() : words);
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
    const lines = this.pieces.join('').split('\n');
    return lines
      .map((line) => line.trimEnd())
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
  }

  private openLink(attributes: string): void {
    this.link = { href: attribute(attributes, 'href'), firstPiece: this.pieces.length };
  }

  /** A link whose text is its address is written once. */
  private closeLink(): void {
    const { href, firstPiece } = this.link ?? { href: '', firstPiece: this.pieces.length };
    this.link = undefined;
    const label = this.pieces.slice(firstPiece).join('').trim();
    const address = href.replace(/^(mailto|tel):/i, '');
    if (address === '' || address.startsWith('#') || label === address) return;
    if (label === '') this.write(address);
    else this.write(this.isAfterSpace() ? `(${address})` : ` (${address})`);
  }

  private line(): void {
    if (this.pieces.length > 0 && !this.endsWith('\n')) this.write('\n');
  }

  private paragraph(after = ''): void {
    this.line();
    if (this.pieces.length > 0 && !this.endsWith('\n\n')) this.write('\n');
    this.write(after);
  }

  private isAfterSpace(): boolean {
    return this.pieces.length === 0 || this.endsWith(' ') || this.endsWith('\n');
  }

  private endsWith(ending: string): boolean {
    return this.pieces.slice(-ending.length).join('').endsWith(ending);
  }

  private write(text: string): void {
    if (text !== '') this.pieces.push(text);
  }
}

function attribute(attributes: string, name: keyof typeof ATTRIBUTES): string {
  return decode(ATTRIBUTES[name].exec(attributes)?.[1] ?? '');
}

function decode(text: string): string {
  return text.replace(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity] ?? entity).replaceAll('\u00a0', ' ');
}
