/** Browsers remove them from URLs before reading the scheme. */
const IGNORED = /[\p{Cc}\p{Z}\p{Cf}]/gu;
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
/** They run code or show a page of the caller's. */
const UNSAFE: ReadonlySet<string> = new Set([
  'javascript',
  'data',
  'vbscript',
  'blob',
  'filesystem',
  'file',
  'about',
  'jar',
  'view-source',
]);
const ENTITIES: Readonly<Record<string, string>> = { colon: ':', tab: '', newline: '' };

/** Pages that insert a link into markup unescaped decode entities first. */
function decoded(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|(colon|tab|newline));?/gi, (whole, hex, decimal, name) => {
    if (typeof name === 'string') return ENTITIES[name.toLowerCase()] ?? whole;
    const code = typeof hex === 'string' ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/**
 * Allows relative links, http, https, mailto, tel and app schemes. Undefined for an empty link and for schemes that run
 * code, such as `javascript:`.
 */
export function safeLink(url: string): string | undefined {
  const compact = decoded(decoded(url)).replace(IGNORED, '');
  if (compact === '') return undefined;
  const scheme = SCHEME.exec(compact)?.[1]?.toLowerCase();
  return scheme !== undefined && UNSAFE.has(scheme) ? undefined : url.trim();
}

/** Without SVG, which can contain scripts. */
const PICTURE = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,/i;

/** A safe link, or an image as a `data:` URL. */
export function safeImage(url: string): string | undefined {
  return PICTURE.test(url) ? url : safeLink(url);
}
