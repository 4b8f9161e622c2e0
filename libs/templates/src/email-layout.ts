import { escapeHtml, safeUrl } from './html-safety.js';
import { type Direction, directionOf } from './locales.js';
import { type Dictionary, NO_LOCALE } from './translate.js';

interface Language {
  readonly lang: string;
  readonly dir: Direction;
}

/** Undefined where nothing was translated: the language is that of the template, and only its author knows it. */
export function languageOf(dictionary: Dictionary | undefined): Language | undefined {
  if (dictionary === undefined || dictionary.locale === NO_LOCALE) return undefined;
  return { lang: dictionary.locale, dir: directionOf(dictionary.locale) };
}

/**
 * Says the language and its direction on `html` and `body`, because some clients drop the former; replaces what a layout says,
 * which is made for one language. A fragment gets an element around it.
 */
export function withLanguage(html: string, language: Language | undefined): string {
  if (language === undefined) return html;
  const attributes = ` lang="${escapeHtml(language.lang)}" dir="${language.dir}"`;
  const [root, body] = [startTag(html, 'html'), startTag(html, 'body')];
  if (root === undefined && body === undefined) return `<div${attributes}>${html}</div>`;
  // From the back, so that places stay right.
  return [body, root].reduce((text, tag) => (tag === undefined ? text : withAttributes(text, tag, attributes)), html);
}

interface Tag {
  readonly start: number;
  readonly end: number;
}

const TAGS = { html: /<html(?=[\s>/])/i, head: /<head(?=[\s>/])/i, body: /<body(?=[\s>/])/i };
const OWN = /\s(?:lang|dir)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]*)/gi;

function startTag(html: string, name: keyof typeof TAGS): Tag | undefined {
  const found = TAGS[name].exec(html);
  const end = found ? endOfTag(html, found.index) : 0;
  return found && end > 0 ? { start: found.index, end } : undefined;
}

function withAttributes(html: string, { start, end }: Tag, attributes: string): string {
  const tag = html.slice(start, end).replace(OWN, '');
  const named = tag.slice(0, 5);
  return html.slice(0, start) + named + attributes + tag.slice(5) + html.slice(end);
}

/** After the `>` of the tag that begins there, or 0. Skips quoted attributes. */
function endOfTag(html: string, start: number): number {
  let quote = '';
  for (let position = start; position < html.length; position += 1) {
    const character = html.charAt(position);
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '>') return position + 1;
  }
  return 0;
}

/** White is easy to read on it. */
const DEFAULT_COLOR = '#0b6b5d';
const COLOR = /^(#[0-9a-f]{3,8}|[a-z]{3,30}|rgba?\([\d\s.,%]{1,40}\))$/i;
const FONT = 'font-family:-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif';

export interface Branding {
  logo?: string;
  /** CSS. Any other value is replaced by the default. */
  color?: string;
}

export function brandColor(branding: Branding): string {
  const color = branding.color?.trim() ?? '';
  return COLOR.test(color) ? color : DEFAULT_COLOR;
}

/** For editor mails without a layout. Content and preheader are HTML. */
export function defaultLayout(content: string, branding: Branding, subject: string): string {
  const logo = branding.logo === undefined ? undefined : safeUrl(branding.logo);
  const image = logo === undefined ? '' : `<img src="${escapeHtml(logo)}" alt="" style="${LOGO_STYLE}">`;
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<title>${escapeHtml(subject)}</title></head>`,
    `<body style="margin:0;padding:24px 12px;background:#f5f6f8;color:#1f2430;line-height:1.5;${FONT}">`,
    `<div style="${SHEET_STYLE}">${image}${content}</div>`,
    '</body></html>',
  ].join('\n');
}

/** Long words, such as links, are broken: the mail would have to be scrolled sideways. */
const SHEET_STYLE =
  'max-width:600px;margin:0 auto;padding:24px;background:#ffffff;border-radius:8px;word-wrap:break-word;overflow-wrap:break-word';
const LOGO_STYLE = 'display:block;max-width:180px;max-height:80px;margin:0 auto 24px';

/** As a hidden element at the start of the body; without a body, of the whole text. */
export function insertPreheader(html: string, preheader: string): string {
  if (preheader === '') return html;
  const hidden = `<div style="display:none;max-height:0;overflow:hidden;opacity:0">${preheader}</div>`;
  const position = endOfBodyTag(html);
  return html.slice(0, position) + hidden + html.slice(position);
}

/** In the head; without one, where the body or the text begins. */
export function insertStyles(html: string, rules: string): string {
  if (rules === '') return html;
  const position = startTag(html, 'head')?.end ?? endOfBodyTag(html);
  return `${html.slice(0, position)}<style type="text/css">${rules}</style>${html.slice(position)}`;
}

/** After the first `<body …>`, or 0. */
function endOfBodyTag(html: string): number {
  return startTag(html, 'body')?.end ?? 0;
}
