import { request as rawRequest } from 'node:http';
import request from 'supertest';
import type { TestSession } from '../harness/index.js';
import {
  type Document,
  documentedPath,
  fill,
  isForSubscribers,
  operationsOf,
  readDocument,
  type Route,
} from '../support/routes.js';
import { apiRoutesOf, routesOf } from '../support/served-routes.js';
import { openSession } from '../support/browser-session.js';
import { useTestApi } from '../support/test-api.js';
import { dataOf } from '../support/answers.js';
import { PLATFORMS } from '../support/platforms.js';

describe.each(PLATFORMS)('on $HTTP_PLATFORM', (platform) => {
  /** Routes that answer without a key. Whoever adds one has to say why here. */
  const PUBLIC = [
    'GET /', // the address that the start prints: links only
    'GET /v1/health-check', // probes of orchestrators have no key
    'GET /api', // Swagger UI, which asks for the key itself
    'GET /console', // asks for the key itself
    'GET /docs', // the documentation, which holds nothing of this Herald
    'GET /docs/*', // the same
    'GET /docs/manual', // the same
    'GET /docs/providers', // the same
    'GET /images/:environmentId/:imageId', // of mails
    'GET /inbox-demo', // the same
    'GET /inbox-demo/*', // its files
    'GET /api-json',
    'GET /api-yaml',
    'GET /openapi.json',
    'GET /schemas/budget.json',
    'GET /schemas/feed.json', // parts of the OpenAPI document, for editors
    'GET /schemas/layout.json',
    'GET /schemas/notification-group.json',
    'GET /schemas/workflow.json',
    'GET /schemas/translation.json',
    'GET /schemas/workflow-override.json',
    'POST /v1/provider-callbacks/:integrationId', // providers have no key; each call is signed
    'POST /v1/widgets/session/initialize', // browsers have no key; the HMAC proves the subscriber
    'POST /v1/inbox/session', // the same
    'POST /v1/users/session', // people sign in here; attempts are counted
    'GET /v1/users/session/options', // what the sign-in page offers
    'POST /v1/users/invitations/look', // people who join have no key; the token of the link is a secret
    'POST /v1/users/invitations/accept', // the same
    'GET /sign-in/oidc', // leads to the provider
    'GET /sign-in/oidc/callback', // what the provider sends is checked, and bound to the browser
    'GET /unsubscribe/:token', // recipients have no key; the token is signed
    'POST /unsubscribe/:token', // the same, called by mail programs
    'GET /answer/:token', // the same, of a question
    'POST /answer/:token', // the same, by the form of the page
    'GET /preferences/:token', // the same
    'POST /preferences/:token', // the same
    'GET /click/:token', // the same; leads to the target, which is signed
    'GET /open/:token', // the same; a picture
    'GET /v1/provider-callbacks/:integrationId', // they look whether the address exists
  ];

  const api = useTestApi({ ...platform, CORS_ORIGINS: 'https://app.example' });
  let session: TestSession;
  let document: Document;
  let routes: Route[];
  beforeAll(async () => {
    session = await api.session();
    // The committed one: comments and types reach the document by the build, which Jest goes without.
    document = readDocument();
    routes = routesOf(api.app).filter(({ path }) => !/^\/api\/|swagger-ui/.test(path)); // files of Swagger UI
  });

  const nameOf = ({ method, path }: Route): string => `${method} ${path}`;
  const send = (method: string, path: string): request.Test =>
    request(api.url)[method.toLowerCase() as 'get'](path).timeout(60_000);

  describe('keys', () => {
    it('should be needed by every route but the pinned ones', async () => {
      const open: string[] = [];
      for (const route of routes) {
        const { status } = await send(route.method, fill(route.path));
        if (status !== 401) open.push(nameOf(route));
      }
      expect([...new Set(open)].sort()).toEqual([...PUBLIC].sort());
    });

    it.each([
      ['none', undefined],
      ['an empty header', ''],
      ['blanks', '   '],
      ['the scheme alone', 'ApiKey'],
      ['the scheme and blanks', 'ApiKey    '],
      ['another key', 'Bearer 0123456789abcdef0123456789abcdef'],
      ['the key with a scheme of others', 'Basic THE-KEY'],
      ['an unknown key', 'ApiKey 0123456789abcdef0123456789abcdef'],
      ['the key with another letter', 'ApiKey THE-KEYx'],
      ['two keys', 'ApiKey THE-KEY THE-KEY'],
      ['a very long key', `ApiKey ${'x'.repeat(8_000)}`],
      ['an operator', 'ApiKey {"$gt":""}'],
    ])('should be refused: %s', async (_case, header) => {
      const value = header?.replaceAll('THE-KEY', session.apiKey);
      const test = send('get', '/v1/notification-groups');
      const { body, text } = await (value === undefined ? test : test.set('Authorization', value)).expect(401);
      expect(body).toEqual({
        statusCode: 401,
        timestamp: expect.any(String) as string,
        path: '/v1/notification-groups',
        message: expect.any(String) as string,
        error: 'Unauthorized',
        code: 'unauthorized',
      });
      const key = value?.split(' ').at(-1) ?? '';
      if (key.length >= 16) expect(text).not.toContain(key);
    });

    it.each(['ApiKey <key>', 'apikey <key>', 'APIKEY   <key>  ', 'Bearer <key>', '<key>'])(
      "should be taken as '%s'",
      async (form) => {
        await send('get', '/v1/notification-groups')
          .set('Authorization', form.replace('<key>', session.apiKey))
          .expect(200);
      },
    );
  });

  describe('the envelope', () => {
    it('should have data as its only field where there are no pages', async () => {
      const { body } = await session.get('/v1/environments/me').expect(200);
      expect(Object.keys(body as object)).toEqual(['data']);
    });

    it('should be absent where there is no content', async () => {
      const { id } = await dataOf<{ id: string }>(
        session.post('/v1/environments/api-keys', { name: 'short-lived' }),
        201,
      );
      const answer = await session.delete(`/v1/environments/api-keys/${id}`).expect(204);
      expect(answer.text).toBe('');
    });

    it('should be absent from the OpenAPI document itself', async () => {
      const { body } = await request(api.url).get('/openapi.json').expect(200);
      expect(body).toHaveProperty('openapi');
    });
  });

  describe('routes', () => {
    it('should be answered with 404 where there is none', async () => {
      const { body } = await session.get('/v1/no-such-thing').expect(404);
      expect(body).toMatchObject({
        statusCode: 404,
        code: 'route_not_found',
        error: 'Not Found',
        path: '/v1/no-such-thing',
      });
    });

    it.each(['/v2/feeds', '/feeds', '/v1', '/v1/feeds/a/b/c', '/v1/%E0%A4%A'])(
      'should have none at %s',
      async (path) => {
        const { status, body } = await session.get(path);
        expect([400, 404]).toContain(status);
        expect(body).toMatchObject({ statusCode: status, message: expect.anything() as unknown });
      },
    );

    it.each([
      ['PATCH', '/v1/feeds', 'GET, POST'],
      ['PUT', '/v1/feeds/0123456789abcdef01234567', 'DELETE'],
      ['POST', '/v1/health-check', 'GET'],
    ])('should answer %s %s with 405 and the methods that it has', async (method, path, allowed) => {
      const { body, headers } = await send(method, path).set('Authorization', `ApiKey ${session.apiKey}`).expect(405);
      expect(headers['allow']?.replace('HEAD, ', '')).toBe(allowed);
      expect(body).toMatchObject({ statusCode: 405, code: 'method_not_allowed' });
    });
  });

  describe('bodies', () => {
    const post = (body: string, type = 'application/json', path = '/v1/feeds'): request.Test =>
      send('post', path).set('Authorization', `ApiKey ${session.apiKey}`).set('Content-Type', type).send(body);

    it.each(['{', '{"name":', '{"name":"a"', "{'name':'a'}", '{"name":"a"}}', '\u0000', 'name=a'])(
      'should be refused when malformed: %j',
      async (text) => {
        const { body } = await post(text).expect(400);
        expect(body).toMatchObject({ statusCode: 400, code: 'malformed_body' });
      },
    );

    it.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
      'should be refused as %s',
      async (type) => {
        const { body } = await post('{"name":"a"}', type).expect(415);
        expect(body).toMatchObject({ statusCode: 415, code: 'unsupported_media_type' });
      },
    );

    it.each(['application/json; charset=utf-8', 'application/vnd.api+json'])('should be read as %s', async (type) => {
      await post(`{"name":"As ${type}"}`, type).expect(201);
    });

    it('should be refused over the limit of ordinary routes', async () => {
      const { body } = await post(JSON.stringify({ name: 'x'.repeat(1_048_576) })).expect(413);
      expect(body).toMatchObject({ statusCode: 413, code: 'body_too_large' });
    });

    it('should be refused when nested too deeply, without harm', async () => {
      const { body } = await post(`{"name":${'['.repeat(50_000)}${']'.repeat(50_000)}}`).expect(400);
      expect(body).toMatchObject({ statusCode: 400 });
    });

    it.each([
      ['objects', `[${'{},'.repeat(200_000)}{}]`],
      ['entries', `[${'1,'.repeat(200_000)}1]`],
    ])('should be refused with masses of %s', async (_what, entries) => {
      const { body } = await post(`{"payload":{"list":${entries}}}`, 'application/json', '/v1/events/trigger').expect(
        400,
      );
      const message = ['the body has more than 200000 keys and entries'];
      expect(body).toMatchObject({ code: 'validation_failed', message });
    });

    it.each(['__proto__', 'constructor', 'prototype'])('should be refused with a key %s', async (key) => {
      const { body } = await post(`{"name":"a","${key}":{"admin":true}}`).expect(400);
      expect(body).toMatchObject({ code: 'validation_failed', message: [`${key} is not allowed as a key`] });
      expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
    });

    it.each(['null', '[]', '"text"', '5', 'true', '[{"name":"a"}]', ''])('should be refused as %j', async (text) => {
      const { body } = await post(text).expect(400);
      expect(body).toMatchObject({ statusCode: 400 });
    });
  });

  describe('headers', () => {
    it("should carry the caller's request id, or one of our own", async () => {
      const given = await session.get('/v1/feeds').set('X-Request-Id', 'job-7');
      expect(given.headers['x-request-id']).toBe('job-7');
      const own = await session.get('/v1/feeds').set('X-Request-Id', 'not harmless <>');
      expect(own.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    });

    it('should not say what Herald is made of, and should protect', async () => {
      const { headers } = await session.get('/v1/feeds');
      expect(headers['x-powered-by']).toBeUndefined();
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['content-security-policy']).toContain("default-src 'self'");
    });

    it('should let nobody store what the API answers, errors included', async () => {
      const answers = [
        await session.get('/v1/environments/api-keys'),
        await session.get('/V1/subscribers?page=0'),
        await session.post('/v1/feeds', {}),
        await request(api.url).get('/v1/feeds'),
        await request(api.url).get('/v1/no-such-thing'),
      ];
      expect(answers.map(({ headers }) => headers['cache-control'] as unknown)).toEqual(answers.map(() => 'no-store'));
      const document = await request(api.url).get('/openapi.json').expect(200);
      expect(document.headers['cache-control']).not.toBe('no-store');
    });

    it('should let the configured origin in and no other', async () => {
      const ours = await session.get('/v1/feeds').set('Origin', 'https://app.example');
      expect(ours.headers['access-control-allow-origin']).toBe('https://app.example');
      const other = await session.get('/v1/feeds').set('Origin', 'https://evil.example');
      expect(other.headers['access-control-allow-origin']).toBeUndefined();
    });

    it('should be refused as a whole when they are too large', async () => {
      const status = await new Promise((resolve, reject) => {
        const headers = { 'x-large': 'x'.repeat(20_000) };
        const sent = rawRequest(`${api.url}/v1/feeds`, { headers }, (answer) => resolve(answer.resume().statusCode));
        sent.on('error', reject).end();
      });
      expect(status).toBe(431);
    });
  });

  describe('the OpenAPI document', () => {
    it('should have every route of the API', () => {
      const documented = new Set(operationsOf(document).map((operation) => nameOf(operation)));
      const missing = apiRoutesOf(api.app)
        .map(({ method, path }) => `${method} ${documentedPath(path)}`)
        .filter((name) => !documented.has(name));
      expect(missing).toEqual([]);
    });

    it('should explain each operation: summary, tag, a success and the refusal without a key', () => {
      for (const { method, path, operation } of operationsOf(document)) {
        const told = { name: `${method} ${path}`, ...operation };
        expect(told).toMatchObject({
          summary: expect.stringMatching(/\S/) as string,
          tags: expect.arrayContaining([expect.any(String)]) as string[],
        });
        expect(Object.keys(operation.responses)).toContainEqual(expect.stringMatching(/^2\d\d$/));
        if (operation.security?.length !== 0) expect(operation.responses).toHaveProperty('401');
      }
    });

    it('should tell that a body can be too large or no JSON', () => {
      const without = operationsOf(document)
        .filter(({ operation: { requestBody, security } }) => requestBody !== undefined && security?.length !== 0)
        .filter(({ operation: { responses } }) => responses['413'] === undefined || responses['415'] === undefined);
      expect(without).toEqual([]);
    });

    it('should say integer where a query takes no fractions', async () => {
      const session = await api.session();
      const token = await openSession(api, session, 'ada');
      const numbers = operationsOf(document).flatMap(({ method, path, operation: { parameters = [] } }) =>
        parameters
          .filter(({ in: where, schema }) => where === 'query' && /^(number|integer)$/.test(String(schema?.type)))
          .map(({ name, schema }) => ({
            route: `${method} ${path}`,
            method: method.toLowerCase() as 'get',
            url: `${fill(path)}?${name}=1.5`,
            type: schema?.type,
          })),
      );
      expect(numbers.length).toBeGreaterThan(10);
      for (const { route, method, url, type } of numbers) {
        const key = isForSubscribers(url) ? `Bearer ${token}` : `ApiKey ${session.apiKey}`;
        const { status } = await request(api.url)[method](url).set('Authorization', key);
        expect({ route, type: status === 400 ? 'integer' : 'number' }).toEqual({ route, type });
      }
    });

    it('should not ask for what has a default', () => {
      const asked = operationsOf(document).flatMap(({ operation: { parameters = [] } }) =>
        parameters.filter(({ required, schema }) => required === true && schema?.default !== undefined),
      );
      expect(asked).toEqual([]);
    });

    it('should have an id of its own for each operation', () => {
      const ids = operationsOf(document).map(({ operation }) => operation.operationId);
      expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    });

    it('should be the same at all its addresses', async () => {
      const served = (await request(api.url).get('/openapi.json').expect(200)).body as Document;
      expect(Object.keys(served.paths).sort()).toEqual(Object.keys(document.paths).sort());
      expect((await request(api.url).get('/api-json').expect(200)).body).toEqual(served);
      expect((await request(api.url).get('/api-yaml').expect(200)).text).toContain('openapi: 3');
      expect((await request(api.url).get('/api').expect(200)).text).toContain('swagger-ui');
    });
  });
});
