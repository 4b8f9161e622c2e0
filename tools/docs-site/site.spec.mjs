import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildDocsSite } from './build.mjs';
import { hashOf, inlineScripts } from './exports.mjs';

const DIST = join('tools', 'docs-site', 'dist');
/** Served by Herald, and not part of the site. */
const ROUTES = ['/api', '/console'];

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
    const { scriptHashes } = JSON.parse(readFileSync(join(DIST, '.policy.json'), 'utf8'));
    const faults = [...pages].flatMap(([address, html]) => {
      const unknown = inlineScripts(html).filter((script) => !scriptHashes.includes(hashOf(script)));
      const inline = /<style|<[^>]* style="|<[^>]* on[a-z]+="/.exec(html);
      const foreign = [...valuesOf(html, 'src'), ...(html.match(/<link[^>]*>/g) ?? [])].find((text) =>
        /https?:/.test(text),
      );
      return [...unknown, inline?.[0], foreign]
        .filter((fault) => fault !== undefined)
        .map((fault) => `${address}: ${fault}`);
    });
    expect(faults).toEqual([]);
    expect(scriptHashes.length).toBeLessThan(4);
  });

  it('should not evaluate text as code, which the policy forbids', () => {
    const scripts = filesIn(join(DIST, 'assets')).filter((name) => /^(chunks\/metadata|app)\./.test(name));
    expect(scripts.length).toBeGreaterThan(1);
    for (const name of scripts) {
      expect(readFileSync(join(DIST, 'assets', name), 'utf8')).not.toContain('_vp-fn_');
    }
  });

  it('should render diagrams and highlight code, each with a button to copy it', () => {
    expect(pages.get('/docs/manual/concepts')).toMatch(/<figure class="diagram[^>]*><svg/);
    expect(pages.get('/docs/manual/tutorial')).toContain('class="hljs-');
    expect(pages.get('/docs/manual/tutorial')).toContain('<button title="Copy Code" class="copy"');
    expect([...pages.values()].filter((html) => html.includes('language-mermaid'))).toEqual([]);
  });

  it('should leave what looks like a template in the docs as it is', () => {
    expect(pages.get('/docs/manual/templates')).toContain('{{');
  });

  it('should lead from each page to its section, and to the next page', () => {
    const html = pages.get('/docs/manual/tutorial');
    expect(html).toMatch(/class="breadcrumb"[\s\S]*<li[^>]*>Start<\/li>[\s\S]*<li aria-current="page"[^>]*>Tutorial/);
    expect(html).toMatch(/pager-link next" href="\/docs\/manual\/concepts"/);
  });

  it('should keep what maintainers read apart from what users read', () => {
    expect(pages.get('/docs/manual/tutorial')).not.toContain('href="/docs/adr/0001-layout"');
    expect(pages.get('/docs/architecture')).toContain('href="/docs/adr/0001-layout"');
  });

  it('should have the Markdown of each page, and lists of them for programs', () => {
    const tutorial = readFileSync(join(DIST, 'manual/tutorial.md'), 'utf8');
    expect(tutorial).toContain('# Tutorial');
    const links = readFileSync(join(DIST, 'llms.txt'), 'utf8').match(/(?<=\]\(\/docs\/)[^)]+/g);
    expect(links.length).toBeGreaterThan(100);
    const missing = links.filter((link) => !existsSync(join(DIST, link)));
    expect(missing).toEqual([]);
    expect(readFileSync(join(DIST, 'llms-full.txt'), 'utf8')).toContain(tutorial.slice(0, 200));
  });

  it('should have ids for error codes and settings, which errors and other pages link to', () => {
    expect(pages.get('/docs/errors')).toContain('<tr id="validation_failed">');
    expect(pages.get('/docs/settings')).toContain('<tr id="DATA_DIR">');
  });

  it('should have every operation of the API, with the same request for three clients', () => {
    const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8'));
    const operations = Object.values(paths).flatMap((item) => Object.values(item));
    const reference = [...pages].filter(([address]) => address.startsWith('/docs/reference/')).map(([, html]) => html);
    const count = (part) => reference.reduce((sum, html) => sum + html.split(part).length - 1, 0);
    expect(count('<h2 id="')).toBe(operations.length);
    const ofV1 = Object.entries(paths).filter(([path]) => path.startsWith('/v1/'));
    const examples = ofV1.flatMap(([, item]) => Object.values(item)).length;
    expect(['curl', 'TypeScript', 'Python'].map((name) => count(`>${name}</label>`))).toEqual(Array(3).fill(examples));
    const topics = readFileSync(join(DIST, 'reference/topics.md'), 'utf8');
    expect(topics).toContain(`curl -X POST 'http://127.0.0.1:3000/v1/topics/order-4711-watchers/subscribers'`);
    expect(topics).toContain('await herald.topics.addTopicSubscribers({ path: {');
    const session = readFileSync(join(DIST, 'reference/browser-clients.md'), 'utf8');
    expect(session).toContain('-H "Authorization: Bearer $SESSION_TOKEN"');
  });

  describe('the search', () => {
    let index;
    beforeAll(async () => {
      // Of the packages that building the site has installed.
      const { default: MiniSearch } = await import('minisearch');
      const { boostDocument, processTerm } = await import('./.vitepress/theme/search.js');
      const [name] = filesIn(join(DIST, 'assets/chunks')).filter((one) => one.startsWith('@localSearchIndexroot'));
      const { default: json } = await import(join(process.cwd(), DIST, 'assets/chunks', name));
      // As the search box of VitePress reads it, with the settings of .vitepress.
      index = MiniSearch.loadJSON(json, {
        fields: ['title', 'titles', 'text'],
        storeFields: ['title', 'titles'],
        searchOptions: {
          fuzzy: 0.2,
          prefix: true,
          boost: { title: 4, text: 2, titles: 1 },
          combineWith: 'OR',
          boostDocument,
          processTerm,
        },
      });
    });
    const addressesOf = (words) => index.search(words).map(({ id }) => id);

    it('should have each section of each page', () => {
      expect([...index._documentIds.values()]).toEqual(
        expect.arrayContaining(['/docs/manual/limits#limits', '/docs/operations#metrics']),
      );
    });

    it.each([
      ['gdpr', /^\/docs\/manual\/security-model#deleting/],
      ['delete a person', /^\/docs\/manual\/security-model#deleting/],
      ['export personal data', /^\/docs\/manual\/security-model#deleting/],
      ['nginx', /^\/docs\/manual\/behind-a-proxy#nginx/],
      ['reverse proxy https', /^\/docs\/manual\/behind-a-proxy#/],
      ['send to everyone', /^\/docs\/manual\/recipes#to-everybody/],
      ['otp', /^\/docs\/manual\/recipes#a-one-time-code/],
      ['password reset', /^\/docs\/manual\/recipes#a-one-time-code/],
      ['failover', /^\/docs\/delivery-outcomes#providers-that-are-down/],
      ['limit mails a day', /^\/docs\/manual\/budgets#/],
      ['how do i send an email', /^\/docs\/providers#email/],
      ['unsubscribe link', /^\/docs\/manual\/unsubscribing#/],
      ['quiet hours', /^\/docs\/manual\/preferences#quiet-hours/],
      ['time zone', /^\/docs\/manual\/delays-and-digests#units-and-time-zones/],
      ['retry failed messages', /^\/docs\/manual\/recipes#find-and-repeat/],
      ['duplicate messages', /^\/docs\/delivery-outcomes#what-to-do-with-an-uncertain/],
      ['idempotency', /^\/docs\/manual\/clients#http/],
      ['rate limit', /^\/docs\/manual\/limits#rates/],
      ['webhook signature', /^\/docs\/(webhooks#checking-the-signature|manual\/recipes#receive-a-webhook)/],
      ['slack', /^\/docs\/providers\/slack/],
      ['sendgrid', /^\/docs\/providers\/sendgrid#/],
      ['push notifications', /^\/docs\/providers#push/],
      ['attachments', /^\/docs\/manual\/events#attachments/],
      ['digest of comments', /^\/docs\/manual\/delays-and-digests#what-a-digest-collects/],
      ['translate messages', /^\/docs\/manual\/translations#/],
      ['multi tenant', /^\/docs\/manual\/tenants#/],
      ['roles and permissions', /^\/docs\/manual\/(security-model#people|single-sign-on#who)/],
      ['sign in with google', /^\/docs\/manual\/single-sign-on#/],
      ['backup', /^\/docs\/operations#/],
      ['upgrade', /^\/docs\/(manual\/installation|operations)#upgrad/],
      ['kubernetes', /^\/docs\/(operations|manual\/installation)#/],
      ['mongodb', /^\/docs\/operations#moving-to-mongodb/],
      ['disk full', /^\/docs\/operations#the-store-is-full/],
      ['why did she not get it', /^\/docs\/manual\/console#i-did-not-get-it/],
      ['test in ci', /^\/docs\/manual\/testing-workflows#recipe-in-ci/],
      ['open tracking', /^\/docs\/manual\/opens-and-clicks#/],
      ['inbox react', /^\/docs\/manual\/inbox-react#/],
      ['hmac', /^\/docs\/manual\/inbox-hmac#/],
      ['python', /^\/docs\/manual\/python#/],
      ['cron', /^\/docs\/manual\/schedules#/],
      ['recurring notifications', /^\/docs\/manual\/schedules#/],
      ['cancel a trigger', /^\/docs\/manual\/events#other-ways/],
      ['escalation', /^\/docs\/manual\/recipes#escalate/],
      ['api key leaked', /^\/docs\/operations#/],
      ['dark mode', /^\/docs\/manual\/inbox#look/],
      ['try a workflow', /^\/docs\/manual\/(console#before-you-send|recipes#try-a-workflow)/],
      ['bounce', /^\/docs\/manual\/unsubscribing#the-suppression-list/],
      ['write a provider', /^\/docs\/manual\/plugins#providers/],
      ['metrics', /^\/docs\/operations#metrics/],
      ['memory', /^\/docs\/operations#size/],
      ['novu migration', /^\/docs\/manual\/moving#/],
      ['topic', /^\/docs\/manual\/topics#/],
      ['rename a topic', /^\/docs\/reference\/topics#renames/],
      ['revoke an api key', /^\/docs\/operations#keys/],
      ['daily report', /^\/docs\/manual\/alerts#/],
      ['digest', /^\/docs\/manual\/delays-and-digests#/],
    ])('should find %s first where it is explained', (words, expected) => {
      expect(addressesOf(words)[0]).toMatch(expected);
    });
  });

  const linksOf = (html) => [...new Set(html.match(/<a [^>]*>/g) ?? [])].flatMap((tag) => valuesOf(tag, 'href'));

  function leadsSomewhere(address, href) {
    if (/^(https?:|mailto:)/.test(href) || ROUTES.includes(href)) return true;
    const [path, hash] = href.split('#', 2);
    if (/\.(md|png)$/.test(path)) return existsSync(join(DIST, path.slice('/docs/'.length)));
    const page = pages.get(path === '' ? address : path.replace(/\/$/, ''));
    return page !== undefined && (hash === undefined || valuesOf(page, 'id').includes(decodeURIComponent(hash)));
  }
});

function addressOf(name) {
  const path = name.replace(/\.html$/, '');
  return path === 'index' ? '/docs' : `/docs/${path}`;
}
