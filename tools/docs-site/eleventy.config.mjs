import { readFileSync } from 'node:fs';
import { createMarkdown } from './markdown.mjs';
import { PAGES, ROOT } from './pages.mjs';
import { renderHome, renderPage } from './page.mjs';
import { searchIndex } from './search-index.mjs';

const { version } = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8'));
const HOME = { url: '', title: 'Documentation', section: undefined, markdown: '' };

/** Eleventy gets every page from the list, so that the Markdown stays as GitHub shows it: no front matter, no templates in it. */
export default function configure(eleventy) {
  const markdown = createMarkdown();
  const htmlOf = (page) => (page === HOME ? renderHome() : markdown.render(page.markdown, { page }));
  for (const page of [HOME, ...PAGES]) {
    const permalink = `${page.url || 'index'}.html`;
    eleventy.addTemplate(`${permalink.replaceAll('/', '-')}.11ty.js`, {
      data: { permalink },
      render: () => renderPage(page, htmlOf(page), version),
    });
  }
  eleventy.addTemplate('search-index.11ty.js', {
    data: { permalink: 'assets/search-index.json' },
    render: () => searchIndex(PAGES.map((page) => ({ ...page, html: htmlOf(page) }))),
  });
  eleventy.addPassthroughCopy({
    assets: 'assets',
    'node_modules/minisearch/dist/es/index.js': 'assets/minisearch.js',
  });
  eleventy.setUseGitIgnore(false);
  return { dir: { input: 'site', output: 'dist' } };
}
