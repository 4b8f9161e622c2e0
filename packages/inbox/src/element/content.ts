import { trusted } from '../store/trusted.js';

/** Elements whose look is that of the inbox; of others, the content remains. */
const KEPT = new Set(['B', 'STRONG', 'I', 'EM', 'U', 'S', 'CODE', 'BR', 'P', 'UL', 'OL', 'LI', 'A']);

/** The content of a message without pictures and styles: nothing of it is loaded from elsewhere. */
export function contentOf(html: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  if (!/[<&]/.test(html)) fragment.append(html);
  else copy(new DOMParser().parseFromString(trusted().createHTML(html), 'text/html').body, fragment);
  return fragment;
}

/** Without any markup. */
export function textOf(html: string): string {
  return contentOf(html).textContent ?? '';
}

function copy(from: Node, to: Node): void {
  for (const node of from.childNodes) {
    if (node instanceof Text) to.appendChild(document.createTextNode(node.data));
    if (!(node instanceof Element)) continue;
    const made = KEPT.has(node.tagName) ? document.createElement(node.tagName) : undefined;
    if (made instanceof HTMLAnchorElement) {
      const url = safeUrl(node.getAttribute('href') ?? '');
      if (url !== undefined) Object.assign(made, { href: url, target: '_blank', rel: 'noopener' });
    }
    if (made) to.appendChild(made);
    copy(node, made ?? to);
    if (!made && /^(DIV|H\d|TR|TABLE|BLOCKQUOTE|PRE)$/.test(node.tagName)) to.appendChild(document.createElement('br'));
  }
}

/** A path of this site, or an address on the web or for mail; undefined for all else. */
export function safeUrl(url: string): string | undefined {
  return /^(?:https?:\/\/|mailto:|\/(?![/\\]))/i.test(url) ? url : undefined;
}
