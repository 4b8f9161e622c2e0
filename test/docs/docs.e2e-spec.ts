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

  it.each([
    '/docs',
    '/docs/',
    '/docs/manual',
    '/docs/manual/limits',
    '/docs/providers',
    '/docs/providers/sendgrid',
    '/docs/settings',
    '/docs/adr/0001-layout',
  ])('should serve the page %s without an API key', async (path) => {
    const answer = await request(api.url).get(path);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, expect.stringMatching(/^text\/html/)]);
    expect(answer.text).toContain('<div class="VPContent');
    const policy = answer.headers['content-security-policy'];
    expect(policy).toMatch(/script-src 'self'( 'sha256-[\w+/]{43}='){1,3};style-src 'self'$/);
    expect(policy).not.toContain('unsafe');
  });

  it('should serve all that a page loads', async () => {
    const { text } = await request(api.url).get('/docs/manual/limits');
    const files = [...text.matchAll(/<(?:link|script)[^>]* (?:href|src)="(\/docs\/[^"]+\.\w+)"/g)];
    expect(files.length).toBeGreaterThan(3);
    for (const [, path = ''] of files) expect([path, (await request(api.url).get(path)).status]).toEqual([path, 200]);
  });

  it.each([
    ['/docs/llms.txt', /^text\/plain/, '# Herald'],
    ['/docs/manual/limits.md', /^text\/markdown/, '# Limits'],
  ])('should serve %s for programs', async (path, type, start) => {
    const { status, headers, text } = await request(api.url).get(path);
    expect([status, headers['content-type']]).toEqual([200, expect.stringMatching(type)]);
    expect(text.startsWith(start)).toBe(true);
  });

  it.each(['/docs/nothing', '/docs/../package.json', '/docs/%2e%2e/build.mjs', '/docs/.built', '/docs/.policy.json'])(
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
    expect((await request(without.url).get('/')).body).not.toHaveProperty('manual');
    expect((await request(without.url).get('/v1/feeds')).headers).not.toHaveProperty('link');
    const document = await request(without.url).get('/openapi.json');
    expect(document.text).not.toContain('/docs/manual');
    await without.close();
  });
});
