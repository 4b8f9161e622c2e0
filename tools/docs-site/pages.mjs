import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Files of a folder below the root; those that are named come first, in this order, and new ones follow without being listed. */
const files = (folder, first = []) => {
  const all = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.md') && name !== 'README.md');
  const named = first.filter((name) => all.includes(name));
  return [...named, ...all.filter((name) => !named.includes(name)).sort()].map((name) => posix.join(folder, name));
};

/** The manual in the order of its table of contents. */
function manual() {
  const contents = readFileSync(join(ROOT, 'docs/manual/README.md'), 'utf8');
  return files(
    'docs/manual',
    [...contents.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, name]) => name),
  );
}

const OPERATING = ['operations', 'performance', 'scaling', 'troubleshooting', 'errors', 'releasing'];
const INTEGRATING = ['compatibility', 'providers', 'webhooks', 'browser-clients', 'delivery-outcomes'];
const inDocs = (names) => names.map((name) => `docs/${name}.md`).filter((path) => existsSync(join(ROOT, path)));

/** The sections of the site with the files that their pages are made of, in the order of the navigation. */
const SECTIONS = [
  ['Manual', ['docs/manual/README.md', ...manual()]],
  ['Operating', ['README.md', ...inDocs(OPERATING), 'ops/README.md']],
  ['Integrating', inDocs(INTEGRATING)],
  [
    'Developing',
    [
      ...files('docs').filter((path) => !inDocs([...OPERATING, ...INTEGRATING]).includes(path)),
      'CONTRIBUTING.md',
      'SECURITY.md',
      'CHANGELOG.md',
    ],
  ],
  ['Decisions', files('docs/adr')],
];

/** Where Herald serves the site. Herald does not tell `/docs` from `/docs/`, so links are not relative. */
const SITE = '/docs';

/** Where a page is, below the address of the site. */
function addressOf(source) {
  if (source === 'README.md') return 'settings';
  const path = source.replace(/^docs\//, '').replace(/\.md$/, '');
  return path.replace(/\/README$/, '').toLowerCase();
}

const withoutMarks = (text) => text.replace(/[`*]/g, '');

function readPage(section, source) {
  const text = readFileSync(join(ROOT, source), 'utf8');
  const markdown = source === 'README.md' ? settingsOf(text) : text;
  const title =
    source === 'docs/manual/README.md' ? 'Overview' : withoutMarks(/^# (.+)$/m.exec(markdown)?.[1] ?? source);
  return { section, source, title, url: addressOf(source), markdown };
}

/** The site takes of the README what is nowhere else. */
function settingsOf(readme) {
  const [, part = ''] = /\n## Settings\n([\s\S]*?)\n## /.exec(readme) ?? [];
  return `# Settings\n${part}`;
}

/** Herald fills it in when it serves it: the site is the same for every installation. */
const PLUGINS = {
  section: 'Operating',
  title: 'Plugins of this installation',
  url: 'installed-plugins',
  markdown: '# Plugins of this installation\n\n<!-- plugins: content -->\n',
  contents: '<!-- plugins: contents -->',
};

export const PAGES = [
  ...SECTIONS.flatMap(([section, sources]) => sources.map((source) => readPage(section, source))),
  PLUGINS,
];

export const NAVIGATION = SECTIONS.map(([section]) => ({
  section,
  pages: PAGES.filter((page) => page.section === section),
}));

const BY_SOURCE = new Map(PAGES.map((page) => [page.source, page]));

/** @returns the page that a link of a file leads to, or undefined if the file is not part of the site */
export function pageOfLink(source, path) {
  const target = posix.normalize(posix.join(posix.dirname(source), path));
  return BY_SOURCE.get(target) ?? BY_SOURCE.get(posix.join(target, 'README.md'));
}

/** The address of a page, or of another file of the site. */
export const addressIn = (url) => (url === '' ? SITE : `${SITE}/${url}`);
