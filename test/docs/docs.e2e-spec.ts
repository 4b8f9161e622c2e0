import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import request from 'supertest';
import { AppConfig } from '#libs/config';
import { createHttpPlatform } from '#libs/http-kit';
import { serveDocs } from '../../src/bootstrap/docs-site.js';
import { PLATFORMS } from '../support/platforms.js';
import { startTestApi, useTestApi } from '../support/test-api.js';

@Module({})
class EmptyModule {}

/** What the site is made of. The real one takes seventeen seconds to build; the test of the package looks at it. */
const SITE: Readonly<Record<string, string>> = {
  'index.html': 'the front page',
  'manual.html': 'the manual',
  'manual/limits.html': 'limits',
  'manual/limits.md': '# Limits',
  'providers.html': 'the providers',
  'providers/sendgrid.html': 'a provider',
  'assets/page.js': 'let page',
  'llms.txt': '# Herald',
  '.built': 'a stamp',
  '.policy.json': JSON.stringify({ scriptHashes: ['sha256-one', 'sha256-two'] }),
};

describe.each(PLATFORMS)('/docs on $HTTP_PLATFORM', (platform) => {
  const folder = mkdtempSync(join(tmpdir(), 'herald-docs-'));
  const site = join(folder, 'tools', 'dist');
  let app: INestApplication;
  beforeAll(async () => {
    app = await NestFactory.create(EmptyModule, await createHttpPlatform(AppConfig.from(platform)), { logger: false });
    serveDocs(app, '', site);
    await app.listen(0, '127.0.0.1');
  });
  afterAll(async () => {
    await app.close();
    rmSync(folder, { recursive: true });
  });
  const get = (path: string): request.Test => request(app.getHttpServer()).get(path);

  it('should ask for patience until the site is built, and serve it without a restart then', async () => {
    const { headers, text } = await get('/docs/manual').expect(503);
    expect(headers['refresh']).toBe('5');
    expect(headers['content-security-policy']).toContain("script-src 'self';");
    expect(text).toContain('npm run build:pages');
    for (const [name, content] of Object.entries(SITE)) {
      mkdirSync(dirname(join(site, name)), { recursive: true });
      writeFileSync(join(site, name), content);
    }
    expect((await get('/docs/manual').expect(200)).text).toBe('the manual');
  });

  it.each([
    ['/docs', 'the front page'],
    ['/docs/', 'the front page'],
    ['/docs/manual', 'the manual'],
    ['/docs/manual/limits', 'limits'],
    ['/docs/providers', 'the providers'],
    ['/docs/providers/sendgrid', 'a provider'],
  ])('should serve the page %s, with a policy that allows its own scripts only', async (path, page) => {
    const { headers, text } = await get(path).expect(200);
    expect([headers['content-type'], text]).toEqual([expect.stringMatching(/^text\/html/), page]);
    const policy = headers['content-security-policy'];
    expect(policy).toMatch(/script-src 'self' 'sha256-one' 'sha256-two';style-src 'self'$/);
    expect(policy).not.toContain('unsafe');
  });

  it.each([
    ['/docs/llms.txt', /^text\/plain/, '# Herald'],
    ['/docs/manual/limits.md', /^text\/markdown/, '# Limits'],
    ['/docs/assets/page.js', /javascript/, 'let page'],
  ])('should serve the file %s', async (path, type, content) => {
    const { headers, text } = await get(path).expect(200);
    expect([headers['content-type'], text]).toEqual([expect.stringMatching(type), content]);
  });

  it.each(['/docs/nothing', '/docs/../package.json', '/docs/%2e%2e/build.mjs', '/docs/.built', '/docs/.policy.json'])(
    'should not find %s',
    async (path) => {
      expect((await get(path)).status).toBeGreaterThanOrEqual(400);
    },
  );
});

describe.each(PLATFORMS)('/docs below the path of PUBLIC_URL on $HTTP_PLATFORM', (platform) => {
  const folder = mkdtempSync(join(tmpdir(), 'herald-docs-'));
  const site = join(folder, 'tools', 'dist');
  const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe]);
  let app: INestApplication;
  beforeAll(async () => {
    const link = (path: string): string => `<a href="${path}">`;
    const files = {
      ...SITE,
      'index.html': `${link('/docs/manual')}${link('/docs')}${link('https://example.com/docs/')}${link('/docsearch')}`,
      '404.html': 'no such page',
    };
    for (const [name, content] of [...Object.entries(files), ['picture.png', PNG] as const]) {
      mkdirSync(dirname(join(site, name)), { recursive: true });
      writeFileSync(join(site, name), content);
    }
    writeFileSync(join(folder, 'tools', 'secret.html'), 'a secret');
    app = await NestFactory.create(EmptyModule, await createHttpPlatform(AppConfig.from(platform)), { logger: false });
    serveDocs(app, '/herald', site);
    await app.listen(0, '127.0.0.1');
  });
  afterAll(async () => {
    await app.close();
    rmSync(folder, { recursive: true });
  });
  const get = (path: string): request.Test => request(app.getHttpServer()).get(path);

  it.each(['/docs', '/docs/'])('should lead %s to addresses below the path', async (path) => {
    const { headers, text } = await get(path).expect(200);
    expect(text.match(/(?<=")[^"]+/g)?.filter((part) => part !== '>' && part.includes('/'))).toEqual([
      '/herald/docs/manual',
      '/herald/docs',
      'https://example.com/docs/',
      '/docsearch',
    ]);
    expect(headers['content-security-policy']).toContain("'sha256-one'");
    await get(path).set('if-none-match', String(headers['etag'])).expect(304);
  });

  it.each([
    ['/docs/manual', /^text\/html/, 'the manual'],
    ['/docs/manual/limits', /^text\/html/, 'limits'],
    ['/docs/assets/page.js', /javascript/, 'let page'],
  ])('should serve %s', async (path, type, content) => {
    const { headers, text } = await get(path).expect(200);
    expect([headers['content-type'], text]).toEqual([expect.stringMatching(type), content]);
  });

  it('should serve pictures as they are', async () => {
    const { body, headers } = await get('/docs/picture.png').expect(200);
    expect([headers['content-type'], body]).toEqual(['image/png', PNG]);
  });

  it.each(['/docs/nothing', '/docs/%2e%2e/secret', '/docs/..%2fsecret', '/docs/.built', '/docs/.policy.json'])(
    'should not find %s',
    async (path) => {
      expect((await get(path).expect(404)).text).toBe('no such page');
    },
  );
});

describe('the address /docs', () => {
  const api = useTestApi();

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
