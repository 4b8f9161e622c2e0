import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HOME, LEAD } from './home.mjs';
import { NAVIGATION, pageOfLink, PAGES, ROOT, SITE } from './pages.mjs';

/** With more, a reader by program is better served by single pages. */
const MAX_FULL_LENGTH = 1_000_000;

/** Writes the Markdown that VitePress reads: each page at its address. */
export function writeSources(folder) {
  rmSync(folder, { recursive: true, force: true });
  write(join(folder, 'index.md'), HOME);
  for (const { url, markdown } of PAGES) write(join(folder, `${url}.md`), markdown);
  const images = join(ROOT, 'docs/images');
  if (existsSync(images)) cpSync(images, join(folder, 'public/images'), { recursive: true });
  cpSync(new URL('public', import.meta.url), join(folder, 'public'), { recursive: true });
}

/** Writes what programs read beside the pages: the Markdown of each, and lists of them as https://llmstxt.org describes. */
export function writeTexts(folder) {
  for (const page of PAGES) write(join(folder, `${page.url}.md`), textOf(page));
  const lists = NAVIGATION.map(({ section, pages: some }) => {
    const lines = some.map(({ title, url }) => `- [${title}](${SITE}/${url}.md)`);
    return `## ${section}\n\n${lines.join('\n')}\n`;
  });
  write(join(folder, 'llms.txt'), `# Herald\n\n> ${LEAD}\n\nThe API as OpenAPI: /openapi.json\n\n${lists.join('\n')}`);
  const isInFull = ({ audience, section, url }) =>
    audience === 'users' && !['Providers', 'API reference'].includes(section) && url !== 'changelog';
  const full = PAGES.filter(isInFull).map(textOf).join('\n\n---\n\n');
  if (full.length <= MAX_FULL_LENGTH) write(join(folder, 'llms-full.txt'), full);
}

const textOf = ({ source, markdown }) =>
  markdown.replace(/\]\(((?:\.{1,2}\/)*[\w./-]+\.md)(#[^)]*)?\)/g, (link, path, hash = '') => {
    const target = pageOfLink(source, path);
    return target === undefined ? link : `](${SITE}/${target.url}.md${hash})`;
  });

/**
 * Writes the hashes of the scripts that stand in the pages, for the policy that Herald serves them with.
 * The names begin with a dot, so that they are not part of the site.
 */
export function writePolicy(folder) {
  const hashes = new Set();
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!name.endsWith('.html')) continue;
    for (const script of inlineScripts(readFileSync(join(folder, name), 'utf8'))) hashes.add(hashOf(script));
  }
  write(join(folder, '.policy.json'), JSON.stringify({ scriptHashes: [...hashes].sort() }));
}

/** The contents of scripts without an address. */
export const inlineScripts = (html) =>
  [...html.matchAll(/<script(?![^>]* src=)[^>]*>([\s\S]*?)<\/script>/g)].map(([, script]) => script);

export const hashOf = (script) => `sha256-${createHash('sha256').update(script).digest('base64')}`;

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
