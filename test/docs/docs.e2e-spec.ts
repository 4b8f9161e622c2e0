import { spawnSync } from 'node:child_process';
import request from 'supertest';
import type { TestApp } from '../harness/index.js';
import { startTestApi } from '../support/test-api.js';

describe('/docs', () => {
  let api: TestApp;
  beforeAll(async () => {
    spawnSync(process.execPath, ['tools/docs-site/build.mjs'], { stdio: 'inherit' });
    api = await startTestApi();
  });
  afterAll(() => api.close());

  it.each(['/docs', '/docs/', '/docs/manual', '/docs/manual/limits', '/docs/settings', '/docs/adr/0001-layout'])(
    'should serve the page %s without an API key',
    async (path) => {
      const answer = await request(api.url).get(path);
      expect([answer.status, answer.headers['content-type']]).toEqual([200, expect.stringMatching(/^text\/html/)]);
      expect(answer.text).toContain('<article>');
      expect(answer.headers['content-security-policy']).toContain("script-src 'self';style-src 'self'");
    },
  );

  it.each(['style.css', 'search.js', 'minisearch.js', 'search-index.json'])('should serve %s', async (name) => {
    expect((await request(api.url).get(`/docs/assets/${name}`)).status).toBe(200);
  });

  it('should say on the page of plugins that there are none, and have nothing to add to the search', async () => {
    const { status, text } = await request(api.url).get('/docs/installed-plugins');
    expect([status, text]).toEqual([200, expect.stringContaining('<p>This Herald runs without plugins.')]);
    expect(text).not.toContain('<!--');
    expect((await request(api.url).get('/docs/assets/installed-plugins.json')).body).toEqual([]);
  });

  it.each(['/docs/nothing', '/docs/../package.json', '/docs/%2e%2e/build.mjs', '/docs/.built'])(
    'should not find %s',
    async (path) => {
      expect((await request(api.url).get(path)).status).toBeGreaterThanOrEqual(400);
    },
  );

  it('should be named by the front door, by the OpenAPI document and by each error', async () => {
    expect((await request(api.url).get('/')).body).toMatchObject({ manual: '/docs' });
    const document = await request(api.url).get('/openapi.json');
    expect((document.body as { info: { description: string } }).info.description).toContain('](/docs/manual)');
    const error = await request(api.url).get('/v1/feeds');
    expect([error.status, error.headers['link']]).toEqual([401, '</docs/errors#unauthorized>; rel="help"']);
  });

  it('should be off where DOCS_ENABLED is off', async () => {
    const without = await startTestApi({ DOCS_ENABLED: 'off' });
    expect((await request(without.url).get('/docs')).status).toBe(404);
    expect((await request(without.url).get('/docs/installed-plugins')).status).toBe(404);
    expect((await request(without.url).get('/docs/assets/installed-plugins.json')).status).toBe(404);
    expect((await request(without.url).get('/')).body).not.toHaveProperty('manual');
    expect((await request(without.url).get('/v1/feeds')).headers).not.toHaveProperty('link');
    const document = await request(without.url).get('/openapi.json');
    expect(document.text).not.toContain('/docs/manual');
    await without.close();
  });
});
