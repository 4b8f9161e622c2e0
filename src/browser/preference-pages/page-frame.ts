import { createHash } from 'node:crypto';
import Handlebars from 'handlebars';
import type { HttpReply } from '#libs/http-kit';
import { safeImage } from '#libs/templates';
import type { PageLanguage } from './page-texts.js';

export interface PageBranding {
  /** Of the tenant; absent where the message had none. */
  readonly name?: string;
  readonly logo?: string;
  readonly color?: string;
}

export interface Page {
  readonly status: number;
  readonly language: PageLanguage;
  readonly branding?: PageBranding;
  readonly title: string;
  /** HTML. */
  readonly body: string;
}

const handlebars = Handlebars.create();

/** Escapes every value. */
export function pageTemplate<T>(source: string): (values: T) => string {
  return handlebars.compile(source, { strict: true, knownHelpersOnly: true });
}

const STYLE = `
:root{color-scheme:light dark;--ink:#1f2430;--soft:#5b6273;--line:#d5d9e2;--page:#f5f6f8;--card:#fff}
@media (prefers-color-scheme:dark){:root{--ink:#eceef3;--soft:#aab1c0;--line:#3a4150;--page:#14171d;--card:#1d212a}}
*{box-sizing:border-box}
body{margin:0;padding:24px 16px 48px;background:var(--page);color:var(--ink);line-height:1.5;
font:16px/1.5 system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif}
main{max-width:720px;margin:0 auto;padding:24px;background:var(--card);border:1px solid var(--line);border-radius:12px}
main.narrow{max-width:480px;text-align:center}
.name{color:var(--soft);font-weight:600;margin:0 0 8px}
.logo{display:block;max-width:180px;max-height:80px;margin:0 auto 24px}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 8px;overflow-wrap:anywhere}
h2{font-size:1.125rem;margin:32px 0 8px;overflow-wrap:anywhere}
h3{font-size:1rem;margin:0;overflow-wrap:anywhere}
p{margin:0 0 16px;overflow-wrap:anywhere}
.hint{color:var(--soft);font-size:.9rem;margin:0 0 8px}
fieldset{min-width:0;margin:0;padding:12px 0;border:0;border-top:1px solid var(--line)}
legend{float:inline-start;width:100%;padding:0;font-weight:600;overflow-wrap:anywhere}
.choices{clear:both;display:flex;flex-wrap:wrap;gap:4px 20px}
.head{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:8px;margin:24px 0 8px}
.head h2{margin:8px 0 0}
.enter{position:absolute;width:1px;height:1px;min-height:0;padding:0;overflow:hidden;clip-path:inset(50%)}
label{display:inline-flex;align-items:center;gap:8px;min-height:32px}
input[type=checkbox]{width:20px;height:20px;margin:0;accent-color:var(--brand)}
select,input[type=time]{font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:6px;padding:6px 8px;min-height:36px;max-width:100%}
input[type=time]{width:7.25rem;padding:6px 4px}
.range label{gap:6px}
.day{display:grid;grid-template-columns:minmax(120px,1fr) auto;gap:4px 16px;align-items:start;padding:6px 0;border-top:1px solid var(--line)}
.range{display:flex;flex-wrap:wrap;gap:8px;align-items:center}
.fields{display:grid;grid-template-columns:repeat(auto-fit,minmax(220px,1fr));gap:16px}
.fields label{display:block}
.fields select{display:block;width:100%;margin-top:4px}
button{font:inherit;cursor:pointer;border-radius:8px;padding:10px 20px;min-height:44px;border:1px solid transparent;background:var(--brand);color:var(--onbrand);font-weight:600}
button.quiet{background:transparent;color:inherit;border-color:var(--line);padding:4px 12px;min-height:36px;font-weight:400}
a{color:inherit}
.actions{margin-top:32px}
.notice{padding:12px 16px;border:1px solid var(--line);border-inline-start:4px solid var(--brand);border-radius:8px}
:focus-visible{outline:3px solid var(--ink);outline-offset:2px}
@media (max-width:480px){main{padding:16px}.day{grid-template-columns:1fr}}
`;

const frame = pageTemplate<{
  language: string;
  dir: string;
  title: string;
  narrow: boolean;
  style: string;
  logo: string;
  name: string;
  body: string;
}>(
  `<!doctype html>
<html lang="{{language}}" dir="{{dir}}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex,nofollow">
<meta name="referrer" content="no-referrer">
<title>{{title}}</title>
<style>{{{style}}}</style>
</head>
<body>
<main{{#if narrow}} class="narrow"{{/if}}>
{{#if logo}}<img class="logo" src="{{logo}}" alt="">
{{/if}}{{#if name}}<p class="name">{{name}}</p>
{{/if}}{{{body}}}
</main>
</body>
</html>
`,
);

const RIGHT_TO_LEFT = /^(?:ar|dv|fa|he|iw|ku|ps|sd|ug|ur|yi)\b/;

/** Writes a page that loads nothing but the logo, runs no script, and cannot be framed, cached or indexed. */
export function sendPage(
  reply: HttpReply,
  { status, language, branding = {}, title, body }: Page,
  isNarrow = true,
): void {
  const style = styleOf(branding);
  const logo = logoOf(branding);
  const html = frame({
    language: language.tag,
    dir: RIGHT_TO_LEFT.test(language.tag) ? 'rtl' : 'ltr',
    title,
    narrow: isNarrow,
    style,
    logo: logo ?? '',
    name: branding.name ?? '',
    body,
  });
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    ...(logo === undefined ? [] : [`img-src ${new URL(logo).origin}`]),
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ];
  reply
    .status(status)
    .header('content-security-policy', policy.join(';'))
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('x-frame-options', 'DENY')
    .header('x-robots-tag', 'noindex, nofollow')
    .type('text/html; charset=utf-8')
    .send(html);
}

/** Pictures of the tenant come from its own server; anything but http and https is left out. */
function logoOf({ logo }: PageBranding): string | undefined {
  const url = logo === undefined ? undefined : safeImage(logo);
  return url !== undefined && /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url).href : undefined;
}

const DEFAULT_BRAND = '#1f2430';

function styleOf({ color = '' }: PageBranding): string {
  const hex = /^#[0-9a-f]{6}$/i.exec(color.trim())?.[0];
  const brand = hex ?? DEFAULT_BRAND;
  // The default turns light in the dark, where it would not be seen.
  const dark = hex === undefined ? '@media (prefers-color-scheme:dark){:root{--brand:#eceef3;--onbrand:#14171d}}' : '';
  return `${STYLE}:root{--brand:${brand};--onbrand:${isLight(brand) ? '#14171d' : '#fff'}}${dark}`;
}

/** Whether dark text is easier to read on the color (WCAG 2). */
function isLight(hex: string): boolean {
  const channel = (at: number): number => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5) > 0.179;
}
