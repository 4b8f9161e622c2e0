import { renderMermaidSVG } from 'beautiful-mermaid';
import hljs from 'highlight.js';
import { pageAt, pageOfLink, sourceUrl } from './pages.mjs';

/** Wider drawings are not legible in the column of a page; a phone shows about 350 pixels. */
const WIDEST_DIAGRAM = 720;
const WIDEST_ON_A_PHONE = 380;
const COMPACT = { padding: 4, nodeSpacing: 12, layerSpacing: 24 };

/** As GitHub names headings, because the links of the docs work there, too. */
export function slugOf(text) {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Mark}\p{Number}\p{Connector_Punctuation} -]/gu, '')
    .replaceAll(' ', '-');
}

/** Colours are classes, because the page allows no styles but those of its style sheet. */
export function highlight(code, language) {
  const html = hljs.getLanguage(language)
    ? hljs.highlight(code, { language, ignoreIllegals: true }).value
    : code.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<pre tabindex="0"><code>${html}</code></pre>`;
}

/** What the pages of Herald need beyond the Markdown of VitePress. */
export function extendMarkdown(markdown) {
  markdown.core.ruler.push('herald-links', ({ tokens, env }) => rewriteLinks(tokens, pageOf(env)));
  markdown.core.ruler.push('herald-rows', ({ tokens }) => nameRows(tokens));
  markdown.renderer.rules.table_open = () =>
    '<div class="table" tabindex="0" role="region" aria-label="Table"><table>\n';
  markdown.renderer.rules.table_close = () => '</table></div>\n';
  const { fence } = markdown.renderer.rules;
  markdown.renderer.rules.fence = (tokens, at, ...rest) => {
    const [language = ''] = tokens[at].info.trim().split(/\s+/);
    if (language === 'mermaid') return diagram(tokens[at].content);
    // What follows the language tells the tests what the example is for. The first of a group is marked by VitePress.
    tokens[at].info = / active( |$)/.test(tokens[at].info) ? `${language} active` : language;
    return fence(tokens, at, ...rest);
  };
  // Examples are full of {{ }}, and no page has components.
  const render = markdown.render.bind(markdown);
  markdown.render = (source, env) => `<div v-pre>${render(source, env)}</div>`;
}

const pageOf = ({ relativePath }) => pageAt(relativePath?.replace(/\.md$/, ''));

/** Drawn twice where it is wide: a phone shows the one whose steps are below each other. */
function diagram(code) {
  const upright = code.replace(/^flowchart (LR|RL)/m, 'flowchart TD');
  const wide = renderMermaidSVG(code, COMPACT);
  const narrow = renderMermaidSVG(upright, COMPACT);
  const first = widthOf(wide) > WIDEST_DIAGRAM && widthOf(narrow) < widthOf(wide) ? narrow : wide;
  const figures =
    upright === code || first === narrow || widthOf(first) <= WIDEST_ON_A_PHONE
      ? figure(first, 'diagram')
      : figure(first, 'diagram diagram-wide') + figure(narrow, 'diagram diagram-narrow');
  return `${figures}\n`;
}

function figure(svg, kind) {
  const name = widthOf(svg) <= WIDEST_ON_A_PHONE ? `${kind} diagram-small` : kind;
  const plain = svg.replace(/<style>[\s\S]*?<\/style>/, '').replace(/ style="[^"]*"/g, '');
  return `<figure class="${name}" tabindex="0" role="img" aria-label="Diagram">${plain}</figure>`;
}

const widthOf = (svg) => Number(/width="([\d.]+)"/.exec(svg)?.[1]);

function rewriteLinks(tokens, page) {
  for (const token of tokens) {
    removeStyle(token);
    let isDropped = false;
    for (const part of token.children ?? []) {
      if (part.type === 'link_open') isDropped = page?.source !== undefined && !rewriteLink(part, page.source);
      else if (part.type === 'link_close' && isDropped) {
        part.tag = 'span';
        isDropped = false;
      } else if (part.type === 'image') rewriteImage(part);
    }
  }
}

/** @returns whether it still is a link: without a repository on the web, files of the source code are named only */
function rewriteLink(token, source) {
  const href = token.attrGet('href') ?? '';
  if (/^[a-z]+:/i.test(href)) return true;
  const [path, hash] = href.split('#', 2);
  if (path === '') return true;
  const fragment = hash === undefined ? '' : `#${hash}`;
  const target = pageOfLink(source, decodeURI(path));
  if (target !== undefined) {
    token.attrSet('href', `/${target.url}${fragment}`);
    return true;
  }
  const file = new URL(path, `https://source.invalid/${source}`).pathname.slice(1);
  const url = sourceUrl(file);
  if (url !== undefined) {
    token.attrSet('href', `${url}${fragment}`);
    return true;
  }
  token.tag = 'span';
  token.attrs = [
    ['class', 'source'],
    ['title', `In the source code: ${file}`],
  ];
  return false;
}

/** Pictures are files of the site; VitePress puts its address before them. */
function rewriteImage(token) {
  const [, name] = /(?:^|\/)images\/([\w.-]+)$/.exec(token.attrGet('src') ?? '') ?? [];
  if (name !== undefined) token.attrSet('src', `/images/${name}`);
}

/** Columns are aligned by classes. */
function removeStyle(token) {
  const style = token.attrGet?.('style');
  if (!style) return;
  token.attrs = token.attrs.filter(([name]) => name !== 'style');
  token.attrJoin('class', style.replace('text-align:', 'align-'));
}

/** A row that begins with a name, such as that of a setting or an error code, can be linked to. */
function nameRows(tokens) {
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
