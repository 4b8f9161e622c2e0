/** What a field for formatted text can show. Everything else is edited as HTML. */
export type RichNode =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'value'; readonly source: string }
  | { readonly type: 'element'; readonly tag: string; readonly href?: string; readonly children: readonly RichNode[] };

const TAGS: ReadonlySet<string> = new Set(['b', 'strong', 'i', 'em', 'u', 'a', 'ul', 'ol', 'li', 'br']);
const TOKEN = /(\{\{\{[^{}]*\}\}\}|\{\{[^{}]*\}\}|\{%[^{}]*%\})|<([^<>]*)>|([^<{]+|[<{])/g;
const TAG_NAME = /^[a-z]+/i;
const HREF = /^\s+href=(?:"([^"]*)"|'([^']*)')\s*$/i;
const ENTITY = /&(amp|lt|gt|quot|nbsp|#39);/g;
const DECODED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: '\u00a0',
  '#39': "'",
};
const ENCODED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\u00a0': '&nbsp;' };

interface Open {
  readonly tag: string;
  readonly href?: string;
  readonly children: RichNode[];
}

/** @returns undefined for HTML that the field cannot show without losing some of it */
export function parseRich(html: string): readonly RichNode[] | undefined {
  const root: Open = { tag: '', children: [] };
  const open: Open[] = [root];
  for (const [, source, inner = '', text] of html.matchAll(TOKEN)) {
    const inside = open.at(-1) ?? root;
    if (source !== undefined) inside.children.push({ type: 'value', source });
    else if (text !== undefined) inside.children.push({ type: 'text', text: decoded(text) });
    else {
      const isEnd = inner.startsWith('/');
      const name = TAG_NAME.exec(isEnd ? inner.slice(1) : inner)?.[0] ?? '';
      const tag = name.toLowerCase();
      if (!TAGS.has(tag)) return undefined;
      if (isEnd) {
        if (inside === root || inside.tag !== tag) return undefined;
        open.pop();
        open.at(-1)?.children.push({ type: 'element', ...inside });
        continue;
      }
      const href = hrefOf(tag, inner.slice(name.length));
      if (href === undefined) return undefined;
      if (tag === 'br') inside.children.push({ type: 'element', tag, children: [] });
      else open.push({ tag, ...(tag === 'a' && { href }), children: [] });
    }
  }
  return open.length === 1 ? root.children : undefined;
}

/** @returns undefined for attributes that would be lost */
function hrefOf(tag: string, attributes: string): string | undefined {
  if (tag !== 'a') return /^\s*\/?$/.test(attributes) ? '' : undefined;
  const found = HREF.exec(attributes);
  return found ? decoded(found[1] ?? found[2] ?? '') : undefined;
}

export function richHtml(nodes: readonly RichNode[]): string {
  return nodes.map(htmlOf).join('');
}

function htmlOf(node: RichNode): string {
  if (node.type === 'text') return encoded(node.text);
  if (node.type === 'value') return node.source;
  if (node.tag === 'br') return '<br>';
  const href = node.href === undefined ? '' : ` href="${encoded(node.href).replaceAll('"', '&quot;')}"`;
  return `<${node.tag}${href}>${richHtml(node.children)}</${node.tag}>`;
}

/** As a chip shows it: what is between the braces. */
export function chipLabel(source: string): string {
  const braces = source.startsWith('{{{') ? 3 : 2;
  return source.slice(braces, -braces).trim();
}

function decoded(text: string): string {
  return text.replace(ENTITY, (whole, name: string) => DECODED[name] ?? whole);
}

function encoded(text: string): string {
  return text.replace(/[&<>\u00a0]/g, (character) => ENCODED[character] ?? character);
}
