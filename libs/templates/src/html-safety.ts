import type SanitizeHtml from 'sanitize-html';

type Sanitize = typeof SanitizeHtml;

const LINK_SCHEMES = ['http', 'https', 'mailto', 'tel'];
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
/** A scheme at the start of a URL; blanks and control characters inside one are ignored by browsers, so here too. */
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const IGNORED_IN_URLS = /[\p{Cc}\p{Cf}\p{Z}]/gu;

let sanitizer: Promise<Sanitize> | undefined;

/** The sanitizer is loaded when the first mail is made: it is among the heavier libraries. */
export async function loadSanitizer(): Promise<Sanitize> {
  sanitizer ??= import('sanitize-html').then((module) => module.default);
  return sanitizer;
}

/** Markup of an email editor without scripts, event handlers, forms, frames, style sheets and odd URLs. */
export function sanitizeContent(sanitize: Sanitize, html: string): string {
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

/** A URL that is fit for a link; nothing for `javascript:`, `data:` and every other scheme that is not for links. */
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

/** Text for use between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
