import { chipLabel, parseRich, type RichNode, richHtml } from './rich-text.js';

const KEPT: ReadonlySet<string> = new Set(['b', 'strong', 'i', 'em', 'u', 'a', 'ul', 'ol', 'li']);
/** Browsers make them when a line ends. */
const LINES: ReadonlySet<string> = new Set(['div', 'p']);

/** Puts a text into a field. Nothing is parsed as HTML: the policy of the page would judge it. */
export function fillRich(host: HTMLElement, nodes: readonly RichNode[]): void {
  host.replaceChildren(...nodes.map(nodeOf));
}

function nodeOf(node: RichNode): Node {
  // The field shows all white space, of which mails show one blank.
  if (node.type === 'text') return document.createTextNode(node.text.replace(/[\n\r\t]+/g, ' '));
  if (node.type === 'value') return chipOf(node.source);
  const element = document.createElement(node.tag);
  if (node.href !== undefined) element.setAttribute('href', node.href);
  element.append(...node.children.map(nodeOf));
  return element;
}

function chipOf(source: string): HTMLElement {
  const chip = document.createElement('span');
  chip.className = 'value-chip';
  chip.contentEditable = 'false';
  chip.dataset['source'] = source;
  chip.textContent = chipLabel(source);
  return chip;
}

/** What somebody has typed. Values that were typed by hand stay as they are. */
export function htmlIn(host: Node): string {
  const html = richHtml([...host.childNodes].flatMap(readNode));
  // Browsers keep a line break in a field that was emptied.
  return html === '<br>' ? '' : html;
}

function readNode(node: Node): RichNode[] {
  if (node.nodeType === Node.TEXT_NODE) return linesOf(node.textContent ?? '');
  if (!(node instanceof HTMLElement)) return [];
  const source = node.dataset['source'];
  if (source !== undefined) return [{ type: 'value', source }];
  const tag = node.tagName.toLowerCase();
  const children = [...node.childNodes].flatMap(readNode);
  if (tag === 'br') return [{ type: 'element', tag, children: [] }];
  if (LINES.has(tag)) return node.previousSibling === null ? children : [LINE_BREAK, ...children];
  if (!KEPT.has(tag)) return children;
  return [{ type: 'element', tag, ...(tag === 'a' && { href: node.getAttribute('href') ?? '' }), children }];
}

const LINE_BREAK: RichNode = { type: 'element', tag: 'br', children: [] };

/** Where all white space is shown, a line ends with a sign of the text. */
function linesOf(text: string): RichNode[] {
  return text.split('\n').flatMap((line, at) => [...(at > 0 ? [LINE_BREAK] : []), ...textNodes(line)]);
}

/** Braces that were typed are no text: they must not be escaped. */
function textNodes(text: string): RichNode[] {
  const values = parseRich(text.replaceAll(/[&<>]/g, (one) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt' }[one] ?? ''};`));
  return [...(values ?? [{ type: 'text', text } as const])];
}

/** Values that were typed by hand and are no chips yet. */
export function hasTypedValues(host: Node): boolean {
  return [...host.childNodes].some((node) => {
    if (node instanceof HTMLElement && node.dataset['source'] !== undefined) return false;
    return node.nodeType === Node.TEXT_NODE ? /\{[{%]/.test(node.textContent ?? '') : hasTypedValues(node);
  });
}

export function rangeIn(host: Node | null): Range | undefined {
  const selection = document.getSelection();
  if (host === null || selection === null || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0).cloneRange();
  if (!host.contains(range.commonAncestorContainer)) return undefined;
  // Nobody types within a value.
  const chip = range.startContainer.parentElement?.closest('.value-chip');
  if (!chip) return range;
  range.setStartAfter(chip);
  range.collapse(true);
  return range;
}

/** Focuses the field at a place, or at its end. */
export function selectRange(host: HTMLElement | null, kept: Range | undefined): Range | undefined {
  if (host === null) return undefined;
  host.focus();
  const selection = document.getSelection();
  let range = kept;
  if (range === undefined || !host.contains(range.commonAncestorContainer)) {
    range = document.createRange();
    range.selectNodeContents(host);
    range.collapse(false);
  }
  selection?.removeAllRanges();
  selection?.addRange(range);
  return range;
}

export function insertChip(range: Range, source: string): void {
  insert(range, chipOf(source));
}

/** A link whose words are its address. */
export function insertLink(range: Range, url: string): void {
  insert(range, nodeOf({ type: 'element', tag: 'a', href: url, children: [{ type: 'text', text: url }] }));
}

/** The place is after the node then. */
function insert(range: Range, node: Node): void {
  range.deleteContents();
  range.insertNode(node);
  range.setStartAfter(node);
  range.collapse(true);
}
