import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildDocsSite } from './build.mjs';

const DIST = join('tools', 'docs-site', 'dist');
/** Served by Herald, and not part of the site. */
const ROUTES = ['/api'];

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => /\.\w+$/.test(name))
    .map((name) => name.replaceAll('\\', '/'));

/** The attribute's values in the tags of a page. */
const valuesOf = (html, attribute) =>
  [...html.matchAll(new RegExp(`<[^>]* ${attribute}="([^"]*)"`, 'g'))].map(([, value]) => value);

describe('the site of the documentation', () => {
  let pages;
  beforeAll(() => {
    buildDocsSite();
    const names = filesIn(DIST).filter((name) => name.endsWith('.html'));
    pages = new Map(names.map((name) => [addressOf(name), readFileSync(join(DIST, name), 'utf8')]));
  });

  it('should have a page for each file of the docs', () => {
    const missing = filesIn('docs')
      .filter((name) => name.endsWith('.md'))
      .map((name) => `/docs/${name.replace(/(\/README)?\.md$/, '').toLowerCase()}`)
      .filter((address) => !pages.has(address));
    expect(missing).toEqual([]);
  });

  it('should have no link to a page or a heading that does not exist', () => {
    const faults = [...pages].flatMap(([address, html]) =>
      linksOf(html)
        .filter((href) => !leadsSomewhere(address, href))
        .map((href) => `${address}: ${href}`),
    );
    expect(faults).toEqual([]);
  });

  it('should need nothing that a strict policy forbids, and nothing from another host', () => {
    const faults = [...pages].flatMap(([address, html]) => {
      const markup = html.replace(/<code[\s\S]*?<\/code>/g, '');
      const inline = /<style|<script(?![^>]* src=)| style=| on[a-z]+=/.exec(markup.replace(/>[^<]+</g, '><'));
      const foreign = [...valuesOf(markup, 'src'), ...(markup.match(/<link[^>]*>/g) ?? [])].find((text) =>
        /https?:/.test(text),
      );
      return [inline?.[0], foreign].filter((fault) => fault !== undefined).map((fault) => `${address}: ${fault}`);
    });
    expect(faults).toEqual([]);
  });

  it('should render diagrams and highlight code', () => {
    expect(pages.get('/docs/manual/concepts')).toMatch(/<figure class="diagram"[^>]*><svg/);
    expect(pages.get('/docs/manual/tutorial')).toContain('class="hljs-');
    expect([...pages.values()].filter((html) => html.includes('language-mermaid'))).toEqual([]);
  });

  it('should leave what looks like a template in the docs as it is', () => {
    expect(pages.get('/docs/manual/templates')).toContain('{{');
  });

  it('should leave two places of one page to Herald, and link to it from all others', () => {
    const page = pages.get('/docs/installed-plugins');
    expect(page.match(/<!-- plugins: \w+ -->/g)).toEqual(['<!-- plugins: content -->', '<!-- plugins: contents -->']);
    const others = [...pages].filter(([, html]) => !html.includes('href="/docs/installed-plugins"'));
    expect(others.map(([address]) => address)).toEqual([]);
  });

  it('should have ids for error codes and settings, which errors and other pages link to', () => {
    expect(pages.get('/docs/errors')).toContain('<tr id="validation_failed">');
    expect(pages.get('/docs/settings')).toContain('<tr id="DATA_DIR">');
  });

  it('should have each section in the index of the search', () => {
    const index = JSON.parse(readFileSync(join(DIST, 'assets', 'search-index.json'), 'utf8'));
    const urls = Object.values(index.storedFields).map(({ url }) => url);
    expect(urls).toEqual(
      expect.arrayContaining(['manual/limits', 'manual/tutorial#2-call-the-api', 'operations#metrics']),
    );
  });

  const linksOf = (html) => [...new Set(html.match(/<a [^>]*>/g) ?? [])].flatMap((tag) => valuesOf(tag, 'href'));

  function leadsSomewhere(address, href) {
    if (/^(https?:|mailto:)/.test(href) || ROUTES.includes(href)) return true;
    const [path, hash] = href.split('#', 2);
    const page = pages.get(path === '' ? address : path);
    return page !== undefined && (hash === undefined || valuesOf(page, 'id').includes(decodeURIComponent(hash)));
  }
});

function addressOf(name) {
  const path = name.replace(/\.html$/, '');
  return path === 'index' ? '/docs' : `/docs/${path}`;
}
