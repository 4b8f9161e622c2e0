import { endOfTag } from './email-language.js';
import { escapeHtml, safeUrl } from './html-safety.js';

const DEFAULT_COLOR = '#f47373';
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

/** After the first `<body …>`, or 0. */
function endOfBodyTag(html: string): number {
  const start = /<body(?=[\s>/])/i.exec(html)?.index;
  return start === undefined ? 0 : endOfTag(html, start);
}
