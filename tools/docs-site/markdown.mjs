import { renderMermaidSVG } from 'beautiful-mermaid';
import hljs from 'highlight.js';
import MarkdownIt from 'markdown-it';
import anchor from 'markdown-it-anchor';
import { addressIn, pageOfLink } from './pages.mjs';

const WIDEST_DIAGRAM = 1_100;

/** As GitHub names headings, because the links of the docs work there, too. */
export function slugOf(text) {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Mark}\p{Number}\p{Connector_Punctuation} -]/gu, '')
    .replaceAll(' ', '-');
}

/** Renders the Markdown of the docs. `env.page` is the page, `env.source` what a source outside of the site is shown as. */
export function createMarkdown() {
  const markdown = new MarkdownIt({ html: true, highlight });
  markdown.use(anchor, {
    slugify: slugOf,
    uniqueSlugStartIndex: 1,
    permalink: anchor.permalink.linkInsideHeader({
      symbol: '#',
      class: 'anchor',
      placement: 'after',
      ariaHidden: true,
    }),
  });
  markdown.core.ruler.push('site-links', (state) => rewriteLinks(state));
  markdown.core.ruler.push('site-rows', (state) => nameRows(state));
  markdown.renderer.rules.table_open = () =>
    '<div class="table" tabindex="0" role="region" aria-label="Table"><table>\n';
  markdown.renderer.rules.table_close = () => '</table></div>\n';
  const fence = markdown.renderer.rules.fence;
  markdown.renderer.rules.fence = (tokens, at, ...rest) =>
    tokens[at].info.trim() === 'mermaid' ? diagram(tokens[at].content) : scrollable(fence(tokens, at, ...rest));
  return markdown;
}

/** A long line can be read with the keyboard, too. */
const scrollable = (html) => html.replace('<pre>', '<pre tabindex="0">');

function highlight(code, language) {
  if (!hljs.getLanguage(language)) return '';
  return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}

/** Colours come from the style sheet, because the page allows no other styles. */
function diagram(code) {
  let svg = renderMermaidSVG(code);
  // Three steps beside each other are easier to read than below each other; twelve are not.
  if (widthOf(svg) > WIDEST_DIAGRAM) svg = renderMermaidSVG(code.replace(/^flowchart (LR|RL)/m, 'flowchart TD'));
  const plain = svg.replace(/<style>[\s\S]*?<\/style>/, '').replace(/ style="[^"]*"/g, '');
  return `<figure class="diagram" tabindex="0" role="img" aria-label="Diagram">${plain}</figure>\n`;
}

const widthOf = (svg) => Number(/width="([\d.]+)"/.exec(svg)?.[1]);

function* inlineTokens(tokens) {
  for (const token of tokens) if (token.children) yield token.children;
}

function rewriteLinks({ tokens, env }) {
  for (const children of inlineTokens(tokens)) {
    let isDropped = false;
    for (const token of children) {
      if (token.type === 'link_open') isDropped = !rewriteLink(token, env.page);
      else if (token.type === 'link_close' && isDropped) {
        token.tag = 'span';
        isDropped = false;
      }
    }
    for (const token of children) removeStyle(token);
  }
  for (const token of tokens) removeStyle(token);
}

/** @returns whether it still is a link: files of the source code are not part of the site */
function rewriteLink(token, page) {
  const href = token.attrGet('href') ?? '';
  if (/^[a-z]+:/i.test(href)) {
    token.attrSet('rel', 'noreferrer');
    return true;
  }
  const [path, hash] = href.split('#', 2);
  if (path === '') return true;
  const target = pageOfLink(page.source, decodeURI(path));
  if (target === undefined) {
    token.tag = 'span';
    token.attrs = [
      ['class', 'source'],
      ['title', `In the source code: ${path.replace(/^(\.\.\/)+/, '')}`],
    ];
    return false;
  }
  const isWholePage = hash === undefined || (target.url === 'settings' && hash === 'settings');
  token.attrSet('href', addressIn(target.url) + (isWholePage ? '' : `#${hash}`));
  return true;
}

/** Columns are aligned by classes. */
function removeStyle(token) {
  const style = token.attrGet?.('style');
  if (!style) return;
  token.attrs = token.attrs.filter(([name]) => name !== 'style');
  token.attrJoin('class', style.replace('text-align:', 'align-'));
}

/** A row that begins with a name, such as that of a setting or an error code, can be linked to. */
function nameRows({ tokens }) {
  const seen = new Set();
  tokens.forEach((token, at) => {
    if (token.type !== 'tr_open') return;
    const [first, ...others] = tokens[at + 2]?.children ?? [];
    if (tokens[at + 1]?.type !== 'td_open' || first?.type !== 'code_inline' || others.length > 0) return;
    const name = first.content;
    if (!/^[\w.-]+$/.test(name) || seen.has(name)) return;
    seen.add(name);
    token.attrSet('id', name);
  });
}
