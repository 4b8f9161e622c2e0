import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import request from 'supertest';
import { AppConfig } from '#libs/config';
import { createHttpPlatform } from '#libs/http-kit';
import { serveInboxComponent } from '../../src/bootstrap/inbox-component.js';
import { PLATFORMS } from '../support/platforms.js';

@Module({})
class EmptyModule {}

const SOURCE = `customElements.define('herald-inbox', class {});`;

describe.each(PLATFORMS)('/inbox on $HTTP_PLATFORM', (platform) => {
  const folder = mkdtempSync(join(tmpdir(), 'herald-inbox-'));
  let app: INestApplication;
  beforeAll(async () => {
    writeFileSync(join(folder, 'herald-inbox.js'), SOURCE);
    writeFileSync(join(folder, 'herald-inbox.js.br'), brotliCompressSync(SOURCE));
    writeFileSync(join(folder, 'herald-inbox.js.gz'), gzipSync(SOURCE));
    app = await NestFactory.create(EmptyModule, await createHttpPlatform(AppConfig.from(platform)), { logger: false });
    serveInboxComponent(app, folder);
    await app.listen(0, '127.0.0.1');
  });
  afterAll(async () => {
    await app.close();
    rmSync(folder, { recursive: true });
  });
  const get = (encoding: string): request.Test =>
    request(app.getHttpServer()).get('/inbox/herald-inbox.js').set('Accept-Encoding', encoding);

  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['identity', undefined],
  ])('should serve the script for %s to pages of any origin', async (accepted, encoding) => {
    const { headers, text } = await get(accepted).buffer().expect(200);
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      vary: 'Accept-Encoding',
    });
    // The client of the test decompresses gzip only.
    if (encoding !== 'br') expect(text).toBe(SOURCE);
  });

  it('should not send again what a browser has', async () => {
    const { headers } = await get('gzip').expect(200);
    await get('gzip').set('If-None-Match', String(headers['etag'])).expect(304);
  });

  it('should serve nothing else of the folder', async () => {
    await request(app.getHttpServer()).get('/inbox/herald-inbox.js.gz').expect(404);
    await request(app.getHttpServer()).get('/inbox/..%2fpackage.json').expect(404);
  });
});

describe('/inbox of a build', () => {
  let app: INestApplication;
  beforeAll(async () => {
    app = await NestFactory.create(EmptyModule, await createHttpPlatform(AppConfig.from({})), { logger: false });
    serveInboxComponent(app, join('dist', 'inbox'));
    await app.listen(0, '127.0.0.1');
  });
  afterAll(() => app.close());
  const get = (name: string): request.Test =>
    request(app.getHttpServer()).get(`/inbox/${name}`).set('Accept-Encoding', 'gzip').buffer();

  it('should be 23 kB at most', async () => {
    const { headers, text } = await get('herald-inbox.js').expect(200);
    expect(text).toContain('herald-inbox');
    expect(Number(headers['content-length'])).toBeLessThanOrEqual(23_000);
    for (const name of ['languages.js', 'push-worker.js']) await get(name).expect(200);
  });
});
