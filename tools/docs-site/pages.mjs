import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { referencePages } from './reference.mjs';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Files of a folder below the root; those that are named come first, in this order, and new ones follow without being listed. */
const files = (folder, first = []) => {
  if (!existsSync(join(ROOT, folder))) return [];
  const all = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.md') && name !== 'README.md');
  const named = first.map((name) => `${name}.md`).filter((name) => all.includes(name));
  return [...named, ...all.filter((name) => !named.includes(name)).sort()].map((name) => posix.join(folder, name));
};

const inDocs = (names) => names.map((name) => `docs/${name}.md`).filter((path) => existsSync(join(ROOT, path)));
const manual = (names) => inDocs(names.map((name) => `manual/${name}`));

const START = manual(['README', 'installation', 'tutorial', 'concepts', 'console']);
const DEFINING = manual([
  'workflow-reference',
  'events',
  'conditions',
  'delays-and-digests',
  'schedules',
  'throttles',
  'budgets',
  'waiting-for-events',
  'questions',
  'http-requests',
  'preferences',
  'unsubscribing',
  'opens-and-clicks',
  'templates',
  'workflows-as-files',
  'testing-workflows',
  'catcher',
  'test-clock',
  'plugins',
]);
const CONNECTING = [
  ...manual(['clients', 'python', 'agents']),
  ...inDocs(['browser-clients', 'webhooks', 'delivery-outcomes', 'errors']),
  ...manual(['limits']),
];
const OPERATING = [
  ...inDocs(['settings']),
  ...manual(['commands']),
  ...inDocs(['operations', 'scaling', 'performance', 'troubleshooting']),
  ...manual(['behind-a-proxy', 'single-sign-on', 'security-model']),
  'ops/README.md',
  'SECURITY.md',
];
const CHOOSING = [...manual(['compared-with', 'promises', 'moving']), ...inDocs(['compatibility']), 'CHANGELOG.md'];
const USERS = [START, DEFINING, CONNECTING, OPERATING, CHOOSING].flat();
const unlisted = (folder) => files(folder).filter((path) => !USERS.includes(path));

/** The sections of the site with the files that their pages are made of, in the order of the navigation. */
const SECTIONS = [
  { section: 'Start', audience: 'users', sources: START },
  { section: 'Guides', audience: 'users', sources: unlisted('docs/manual') },
  { section: 'Workflows', audience: 'users', sources: DEFINING },
  { section: 'API and browsers', audience: 'users', sources: CONNECTING },
  {
    section: 'Providers',
    audience: 'users',
    isFolded: true,
    sources: [...inDocs(['providers']), ...files('docs/providers')],
  },
  { section: 'API reference', audience: 'users', isFolded: true, pages: referencePages() },
  { section: 'Operating', audience: 'users', sources: OPERATING },
  { section: 'Choosing and upgrading', audience: 'users', sources: CHOOSING },
  {
    section: 'Developing Herald',
    audience: 'maintainers',
    sources: [...unlisted('docs').filter((path) => path !== 'docs/providers.md'), 'CONTRIBUTING.md'],
  },
  { section: 'Decisions', audience: 'maintainers', sources: ['docs/adr/README.md', ...files('docs/adr')] },
];

/** Where Herald serves the site. */
export const SITE = '/docs';

/** Where a page is, below the address of the site. */
function addressOf(source) {
  const path = source.replace(/^docs\//, '').replace(/\.md$/, '');
  return path.replace(/\/README$/, '').toLowerCase();
}

const withoutMarks = (text) => text.replace(/[`*]/g, '');

function readPage(source) {
  const markdown = readFileSync(join(ROOT, source), 'utf8');
  const title = withoutMarks(/^# (.+)$/m.exec(markdown)?.[1] ?? source);
  return { source, title: source === 'docs/manual/README.md' ? 'Overview' : title, url: addressOf(source), markdown };
}

export const NAVIGATION = SECTIONS.map(
  ({ section, audience, isFolded = false, sources = [], pages = sources.map(readPage) }) => ({
    section,
    audience,
    isFolded,
    pages: pages.map((page) => ({ ...page, section, audience })),
  }),
);

export const PAGES = NAVIGATION.flatMap(({ pages }) => pages);

const BY_SOURCE = new Map(PAGES.map((page) => [page.source, page]));
const BY_URL = new Map(PAGES.map((page) => [page.url, page]));

/** @returns the page that a link of a file leads to, or undefined if the file is not part of the site */
export function pageOfLink(source, path) {
  const target = posix.normalize(posix.join(posix.dirname(source), path));
  return BY_SOURCE.get(target) ?? BY_SOURCE.get(posix.join(target, 'README.md'));
}

/** @param url below the address of the site */
export const pageAt = (url) => BY_URL.get(url);

/**
 * The page on the web that shows a file of the source code, or undefined where that is not known: DOCS_REPOSITORY when the site is
 * built, or `repository` in package.json.
 */
export function sourceUrl(path, view = 'blob') {
  const { repository } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const written = process.env.DOCS_REPOSITORY || (typeof repository === 'string' ? repository : repository?.url) || '';
  const base = written
    .replace(/^git\+/, '')
    .replace(/^github:/, 'https://github.com/')
    .replace(/(\.git)?\/*$/, '');
  return /^https:\/\//.test(base) ? `${base}/${view}/main/${path}` : undefined;
}
