import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import request from 'supertest';
import { AppConfig } from '#libs/config';
import { createHttpPlatform } from '#libs/http-kit';
import { serveInboxDemo } from '../../src/bootstrap/inbox-demo.js';
import { PLATFORMS } from '../support/platforms.js';

@Module({})
class EmptyModule {}

describe.each(PLATFORMS)('/inbox-demo on $HTTP_PLATFORM', (platform) => {
  const folder = mkdtempSync(join(tmpdir(), 'herald-inbox-demo-'));
  const files = join(folder, 'dist');
  let app: INestApplication;
  beforeAll(async () => {
    app = await NestFactory.create(EmptyModule, await createHttpPlatform(AppConfig.from(platform)), { logger: false });
    serveInboxDemo(app, files);
    await app.listen(0, '127.0.0.1');
  });
  afterAll(async () => {
    await app.close();
    rmSync(folder, { recursive: true });
  });
  const get = (path: string): request.Test => request(app.getHttpServer()).get(path);

  it('should say how to build the page, and serve it without a restart once it is built', async () => {
    const { text } = await get('/inbox-demo').expect(404);
    expect(text).toContain('npm run build:pages');
    expect(text).not.toContain('restart');
    mkdirSync(files);
    writeFileSync(join(files, 'index.html'), '<!doctype html><title>Inbox</title>');
    writeFileSync(join(files, 'page.js'), 'let a');
    expect((await get('/inbox-demo').expect(200)).text).toContain('<title>Inbox</title>');
    expect((await get('/inbox-demo/page.js').expect(200)).headers['content-type']).toMatch(/javascript/);
    await get('/inbox-demo/gone.js').expect(404);
    await get('/inbox-demo/..%2f..%2fpackage.json').expect(404);
  });
});
