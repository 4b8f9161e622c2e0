import { LRUCache } from 'lru-cache';
import type { IOptions } from 'sanitize-html';
import { assertParsable, escapeHtml, LINK_SCHEMES, loadSanitizer } from './html-safety.js';
import { TemplateError } from './template-error.js';

const CACHE_CHARACTERS = 4_000_000;

const COLOR = /^(?:#[0-9a-f]{3,8}|[a-z]{3,30}|(?:rgb|hsl)a?\([\d\s.,%/]{1,60}\))$/i;

/**
 * No ids, classes or positions, because the page is not Herald's: content must not cover or imitate other parts of it,
 * or shadow its global names.
 */
const OPTIONS: IOptions = {
  allowedTags: [
    ...[
      'a',
      'abbr',
      'b',
      'blockquote',
      'br',
      'code',
      'del',
      'div',
      'em',
      'h1',
      'h2',
      'h3',
      'h4',
      'h5',
      'h6',
      'hr',
      'i',
    ],
    ...[
      'img',
      'ins',
      'kbd',
      'li',
      'mark',
      'ol',
      'p',
      'pre',
      'q',
      's',
      'small',
      'span',
      'strike',
      'strong',
      'sub',
      'sup',
    ],
    ...['table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'time', 'tr', 'u', 'ul', 'wbr'],
  ],
  allowedAttributes: {
    '*': ['style', 'align', 'valign', 'dir', 'lang', 'title'],
    a: ['href', 'target', 'rel'],
    img: ['src', 'alt', 'width', 'height'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan', 'scope'],
    time: ['datetime'],
  },
  allowedStyles: {
    '*': {
      color: [COLOR],
      'background-color': [COLOR],
      'font-style': [/^(?:normal|italic|oblique)$/],
      'font-weight': [/^(?:normal|bold|bolder|lighter|[1-9]00)$/],
      'text-align': [/^(?:left|right|center|justify|start|end)$/],
      'text-decoration': [/^(?:none|underline|line-through)$/],
    },
  },
  allowedSchemes: LINK_SCHEMES,
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowProtocolRelative: false,
  nonTextTags: [
    'script',
    'style',
    'textarea',
    'option',
    'noscript',
    'noembed',
    'noframes',
    'iframe',
    'xmp',
    'template',
  ],
  transformTags: {
    // An opened page must not be able to navigate its opener.
    a: (tagName, { rel: _, ...attribs }) => ({ tagName, attribs: { ...attribs, rel: 'noopener noreferrer' } }),
  },
};

const cleaned = new LRUCache<string, string>({
  maxSize: CACHE_CHARACTERS,
  sizeCalculation: (clean, html) => Math.max(1, clean.length + html.length),
});

/**
 * Safe to insert into a page. Text without markup is returned unchanged; markup that would make the parser slow is
 * shown as text.
 */
export async function browserHtml(html: string): Promise<string> {
  if (!html.includes('<')) return html;
  const known = cleaned.get(html);
  if (known !== undefined) return known;
  const clean = await sanitized(html);
  cleaned.set(html, clean);
  return clean;
}

async function sanitized(html: string): Promise<string> {
  const sanitize = await loadSanitizer();
  try {
    assertParsable(html);
  } catch (error) {
    if (error instanceof TemplateError) return escapeHtml(html);
    throw error;
  }
  return sanitize(html, OPTIONS);
}
