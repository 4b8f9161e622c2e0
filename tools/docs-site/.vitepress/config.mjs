import { extendMarkdown, highlight, slugOf } from '../markdown.mjs';
import { LEAD } from '../home.mjs';
import { NAVIGATION, pageAt, SITE, sourceUrl } from '../pages.mjs';
import packageJson from '../../../package.json' with { type: 'json' };

const sidebarOf = (audience) =>
  NAVIGATION.filter((group) => group.audience === audience).map(({ section, isFolded, pages }) => ({
    text: section,
    collapsed: isFolded,
    items: pages.map(({ title, url }) => ({ text: title, link: `/${url}` })),
  }));
const users = sidebarOf('users');
const maintainers = sidebarOf('maintainers');
const pathsOf = (groups) => groups.flatMap(({ items }) => items.map(({ link }) => link));

/** A long group has only what is around the page: with all of it, each of its pages would be six times as large. */
const NEIGHBOURS = 5;
const sidebarAt = (path) =>
  maintainers.map(({ items, ...group }) => {
    const at = items.findIndex(({ link }) => link === path);
    if (at < 0 || items.length <= 2 * NEIGHBOURS) return { ...group, items };
    const around = items.slice(Math.max(0, at - NEIGHBOURS), at + NEIGHBOURS + 1);
    return { ...group, items: [...around, { text: `All ${items.length}`, link: '/architecture' }] };
  });

const repository = sourceUrl('');

/** A section is also found by the words of a comment in it: `<!-- search: gdpr, privacy -->`. */
const searched = (source, env, md) => md.render(source.replace(/<!-- search: (.*?) -->/g, '\n\n$1\n\n'), env);

/** Nothing in it is a function: the browser would need `unsafe-eval` to read it. */
const themeConfig = {
  logo: '/icon.svg',
  siteTitle: `Herald ${packageJson.version}`,
  nav: [
    { text: 'Tutorial', link: '/manual/tutorial' },
    { text: 'Troubleshooting', link: '/troubleshooting' },
    { text: 'Reference', link: '/reference/events' },
    { text: 'Maintainers', link: '/architecture' },
    { text: 'API', link: '/api', target: '_self', noIcon: true },
    { text: 'Console', link: '/console', target: '_self', noIcon: true },
  ],
  // Each page of maintainers by its own path; all others have the sidebar of users.
  sidebar: { ...Object.fromEntries(pathsOf(maintainers).map((path) => [path, sidebarAt(path)])), '/': users },
  outline: [2, 3],
  externalLinkIcon: true,
  ...(repository !== undefined && {
    editLink: { pattern: sourceUrl(':path', 'edit'), text: 'Edit this page' },
  }),
  search: {
    provider: 'local',
    options: { disableDetailedView: true, miniSearch: { searchOptions: { combineWith: 'OR' } }, _render: searched },
  },
};

/** The default theme links to pages of Herald that are not part of the site as if they were. */
const ELSEWHERE = /href="\/docs(\/(?:api|console))"/g;

export default {
  lang: 'en',
  title: 'Herald',
  description: LEAD,
  base: `${SITE}/`,
  cleanUrls: true,
  // Addresses of a Herald on the machine of the reader.
  ignoreDeadLinks: 'localhostLinks',
  srcDir: 'site',
  outDir: 'dist.next',
  cacheDir: '.vitepress/cache',
  head: [['link', { rel: 'icon', href: `${SITE}/icon.svg` }]],
  // In files of their own, because the policy allows only scripts that it knows.
  metaChunk: true,
  appearance: { disableTransition: false },
  contentProps: {},
  themeConfig,
  markdown: {
    highlight,
    linkify: false,
    // Texts and tables have braces of their own.
    attrs: { disable: true },
    anchor: { slugify: slugOf, uniqueSlugStartIndex: 1 },
    config: extendMarkdown,
  },
  transformPageData(page) {
    const { source, section } = pageAt(page.relativePath.replace(/\.md$/, '')) ?? {};
    if (source === undefined || section === 'API reference') page.frontmatter.editLink = false;
    else page.filePath = source;
    return { frontmatter: { ...page.frontmatter, section, hasText: source !== undefined } };
  },
  // Styles of single elements are set by the scripts, which the policy allows.
  transformHtml: (html) => html.replace(/(<[^<>]*) style="[^"]*"/g, '$1').replace(ELSEWHERE, 'href="$1"'),
  vite: {
    // As the console. For older browsers, this esbuild would have to rewrite more than it can.
    build: { chunkSizeWarningLimit: 4_000, target: ['chrome111', 'firefox115', 'safari16.4'] },
  },
};
