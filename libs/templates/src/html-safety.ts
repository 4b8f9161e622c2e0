import type SanitizeHtml from 'sanitize-html';
import { TemplateError } from './template-error.js';

type Sanitize = typeof SanitizeHtml;

export const LINK_SCHEMES = ['http', 'https', 'mailto', 'tel'];
const COMMON_ATTRIBUTES = [
  'style',
  'class',
  'id',
  'align',
  'valign',
  'dir',
  'lang',
  'title',
  'width',
  'height',
  'bgcolor',
];
const EXTRA_TAGS = ['img', 'center', 'font', 'h1', 'h2', 'del', 'ins', 's', 'strike', 'u', 'tt'];
/** The parser's time grows with the square of the number of unclosed elements. */
const MAX_OPEN_ELEMENTS = 5_000;
const MAX_LOOKS = 20_000_000;
const TAG = /<(\/?)([a-z][a-z0-9]*)/gi;
const VOID_ELEMENTS = new Set(['br', 'img', 'hr', 'meta', 'link', 'input', 'col', 'wbr', 'area', 'base', 'source']);
/** After removal of the characters that browsers ignore. */
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const IGNORED_IN_URLS = /[\p{Cc}\p{Cf}\p{Z}]/gu;

let sanitizer: Promise<Sanitize> | undefined;

/** On demand, because the package is large. */
export async function loadSanitizer(): Promise<Sanitize> {
  sanitizer ??= import('sanitize-html').then((module) => module.default);
  return sanitizer;
}

/** Removes scripts, event handlers, forms, frames, style sheets and unsafe URLs. */
export function sanitizeContent(sanitize: Sanitize, html: string): string {
  assertParsable(html);
  return sanitize(html, {
    allowedTags: [...sanitize.defaults.allowedTags, ...EXTRA_TAGS],
    allowedAttributes: {
      '*': COMMON_ATTRIBUTES,
      a: ['href', 'name', 'target', 'rel'],
      img: ['src', 'alt', 'border'],
      font: ['color', 'face', 'size'],
      table: ['border', 'cellpadding', 'cellspacing', 'role'],
      td: ['colspan', 'rowspan'],
      th: ['colspan', 'rowspan', 'scope'],
      ol: ['start', 'type'],
    },
    allowedSchemes: LINK_SCHEMES,
    allowedSchemesByTag: { img: ['http', 'https', 'cid'] },
    allowProtocolRelative: false,
  });
}

/** @throws {TemplateError} for markup that would make the parser slow */
export function assertParsable(html: string): void {
  const open: string[] = [];
  const byName = new Map<string, number>();
  let looks = 0;
  for (const [, close, written = ''] of html.matchAll(TAG)) {
    const tag = written.toLowerCase();
    if (VOID_ELEMENTS.has(tag)) continue;
    if (close !== '/') {
      open.push(tag);
      byName.set(tag, (byName.get(tag) ?? 0) + 1);
    } else if ((byName.get(tag) ?? 0) > 0) {
      closeUpTo(tag, open, byName);
    }
    // For each tag, the parser may examine all open elements. A tag that matches none closes none.
    looks += open.length;
    if (open.length > MAX_OPEN_ELEMENTS || looks > MAX_LOOKS) {
      throw new TemplateError('the HTML has too many elements that are not closed');
    }
  }
}

function closeUpTo(tag: string, open: string[], byName: Map<string, number>): void {
  for (let last = open.pop(); last !== undefined; last = open.pop()) {
    byName.set(last, (byName.get(last) ?? 1) - 1);
    if (last === tag) return;
  }
}

/** Undefined for `javascript:`, `data:` and other schemes that are not for links. */
export function safeUrl(url: string): string | undefined {
  const compact = url.replace(IGNORED_IN_URLS, '');
  if (compact === '') return undefined;
  const scheme = SCHEME.exec(compact)?.[1]?.toLowerCase();
  if (scheme === undefined || LINK_SCHEMES.includes(scheme)) return url.trim();
  return undefined;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
