import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { AppConfig } from '#libs/config';
import { createHttpPlatform } from '#libs/http-kit';
import { type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { serveConsole } from '../../src/bootstrap/console.js';
import { startTestApi, useApi } from '../support/test-api.js';

@Module({})
class EmptyModule {}

describe('/console', () => {
  describe('below the path of PUBLIC_URL', () => {
    const files = mkdtempSync(join(tmpdir(), 'herald-console-'));
    let app: INestApplication;
    beforeAll(async () => {
      writeFileSync(
        join(files, 'index.html'),
        '<script src="{{publicPath}}/console/assets/a.js"></script><div data-public-path="{{publicPath}}"></div>',
      );
      app = await NestFactory.create(EmptyModule, await createHttpPlatform(AppConfig.from({})), { logger: false });
      serveConsole(app, '/herald', files);
      await app.listen(0, '127.0.0.1');
    });
    afterAll(async () => {
      await app.close();
      rmSync(files, { recursive: true });
    });

    it('should name the path to the page', async () => {
      const { text } = await request(app.getHttpServer()).get('/console/workflows').expect(200);
      expect(text).toBe('<script src="/herald/console/assets/a.js"></script><div data-public-path="/herald"></div>');
    });
  });

  describe('with its files', () => {
    const files = mkdtempSync(join(tmpdir(), 'herald-console-'));
    let app: INestApplication;
    beforeAll(async () => {
      mkdirSync(join(files, 'assets'));
      writeFileSync(join(files, 'index.html'), '<!doctype html><title>Console</title>');
      writeFileSync(join(files, 'assets', 'console-AB12.js'), 'let a');
      app = await NestFactory.create(EmptyModule, await createHttpPlatform(AppConfig.from({})), { logger: false });
      serveConsole(app, '', files);
      await app.listen(0, '127.0.0.1');
    });
    afterAll(async () => {
      await app.close();
      rmSync(files, { recursive: true });
    });
    const get = (path: string): request.Test => request(app.getHttpServer()).get(path);

    it.each(['/console', '/console/', '/console/notifications/1?x=1'])(
      'should answer %s with the page',
      async (path) => {
        const { text, headers } = await get(path).expect(200);
        expect(text).toContain('<title>Console</title>');
        expect(headers['cache-control']).toBe('no-cache');
        expect(headers['x-frame-options']).toBe('DENY');
        expect(headers['content-security-policy']).toMatch(/^default-src 'none';script-src 'self';style-src 'self';/);
        expect(headers['content-security-policy']).not.toMatch(/unsafe|\*|https?:/);
      },
    );

    it('should let browsers keep files, whose names change with their content', async () => {
      const { headers } = await get('/console/assets/console-AB12.js').expect(200);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      await get('/console/assets/gone.js').expect(404);
      await get('/console/assets/..%2f..%2fpackage.json').expect(404);
    });

    it.each([
      ['/console/mail-frame', 'img-src data:;'],
      ['/console/mail-frame-with-images', 'img-src data: https: http:;'],
    ])('should answer %s with a frame that runs nothing', async (path, images) => {
      const { headers, text } = await get(path).expect(200);
      expect(headers['content-security-policy']).toContain(`default-src 'none';style-src 'unsafe-inline';${images}`);
      expect(headers['content-security-policy']).not.toContain('script-src');
      expect(text).not.toContain('<script');
    });
  });

  describe('switched off', () => {
    const api = useApi(() => startTestApi({ CONSOLE_ENABLED: 'off' }));

    it('should be an unknown path', async () => {
      const { body } = await request(api.url).get('/console').expect(404);
      expect(body).toMatchObject({ code: 'route_not_found' });
    });
  });

  describe('without its files', () => {
    const api = useApi(() => startTestApi());

    it('should say how to build them', async () => {
      const { text } = await request(api.url).get('/console').expect(404);
      expect(text).toContain('npm run build');
    });
  });
});
