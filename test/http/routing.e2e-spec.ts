import request from 'supertest';
import { useSession, useTestApi } from '../support/test-api.js';
import { PLATFORMS } from '../support/platforms.js';

describe.each(PLATFORMS)('on $HTTP_PLATFORM', (platform) => {
  const api = useTestApi(platform);
  const session = useSession(api);
  const ask = (method: 'get' | 'head' | 'options' | 'post', path: string): request.Test =>
    request(api.url)[method](path);

  describe('paths', () => {
    it.each(['/v1/health-check', '/V1/Health-Check', '/v1/health-check/', '/v1/health-check?a=b'])(
      'should be matched in any case, with or without a slash at the end: %s',
      async (path) => {
        await ask('get', path).expect(200);
      },
    );

    it.each(['Ann', 'ann smith', 'a/b', 'a%b', '\u0130stanbul', '%C4%B0', 'i\u0307', 'x'.repeat(200)])(
      'should carry any id as it is: %j',
      async (subscriberId) => {
        await session.post('/v1/subscribers', { subscriberId }).expect(201);
        const path = `/v1/subscribers/${encodeURIComponent(subscriberId)}`;
        for (const suffix of ['', '/', '?x=%C4%B0']) {
          const { body } = await session.get(`${path}${suffix}`).expect(200);
          expect(body).toMatchObject({ data: { subscriberId } });
        }
        await session.get(`${path}/preferences`).expect(200);
      },
    );

    it.each([
      '/v1/subscribers//preferences',
      '//v1/health-check',
      '/v1/health-check//',
      '/v1/no-such-thing',
      '/api/no.js',
    ])('should be unknown: %s', async (path) => {
      const { body } = await ask('get', path).expect(404);
      expect(body).toMatchObject({ code: 'route_not_found', path });
    });

    it.each(['/v1/subscribers/%zz', '/v1/subscribers/%ff', '/%'])(
      'should be refused as unreadable: %s',
      async (path) => {
        const { body, headers } = await ask('get', path).expect(400);
        expect(body).toMatchObject({ code: 'bad_request', path });
        expect(headers).toMatchObject({ 'x-request-id': expect.any(String), 'x-content-type-options': 'nosniff' });
      },
    );
  });

  describe('methods', () => {
    it('should be answered for HEAD as for GET, without a body', async () => {
      const { text, headers } = await ask('head', '/v1/health-check').expect(200);
      expect(text).toBeUndefined();
      expect(Number(headers['content-length'])).toBeGreaterThan(0);
      await ask('head', '/v1/feeds').expect(401);
    });

    it('should be named where another one is needed', async () => {
      const { body, headers } = await ask('options', '/v1/feeds').expect(405);
      expect(headers['allow']).toBe('GET, POST');
      expect(body).toMatchObject({ code: 'method_not_allowed' });
      await ask('post', '/v1/health-check').expect(405);
    });
  });

  describe('the front door', () => {
    it.each([
      ['text/html,application/xhtml+xml,*/*;q=0.8', 302],
      ['application/json;q=0.5, text/html', 302],
      ['text/*', 302],
      ['application/json, text/html', 200],
      ['text/html;q=0.1, */*', 200],
      ['*/*', 200],
      ['text/plain', 200],
    ])('should answer Accept: %s with %i', async (accept, status) => {
      const { headers } = await ask('get', '/').set('Accept', accept).expect(status);
      expect(headers['vary']).toBe('Accept');
      expect(headers['location']).toBe(status === 302 ? '/api' : undefined);
    });
  });

  describe('the files of Swagger UI and the document', () => {
    it.each([
      ['/api', 'text/html; charset=utf-8'],
      ['/api/', 'text/html; charset=utf-8'],
      ['/api/swagger-ui.css', 'text/css; charset=utf-8'],
      ['/api/swagger-ui-init.js', 'application/javascript; charset=utf-8'],
      ['/api-json', 'application/json; charset=utf-8'],
      ['/api-yaml', 'text/yaml; charset=utf-8'],
      ['/openapi.json', 'application/json; charset=utf-8'],
    ])('should be served: %s', async (path, type) => {
      const { headers } = await ask('get', path).expect(200);
      expect(headers['content-type']).toBe(type);
    });

    it('should be sent once to those that have the document', async () => {
      const { headers } = await ask('get', '/openapi.json').expect(200);
      const etag = headers['etag'] ?? '';
      const again = await ask('get', '/openapi.json').set('If-None-Match', etag).expect(304);
      expect(again.text).toBe('');
      await ask('get', '/openapi.json').set('If-None-Match', '"other"').expect(200);
    });
  });
});
