import request from 'supertest';
import type { TestSession } from '../harness/index.js';
import { useTestApi } from '../support/test-api.js';

const PATH = '/v1/notification-groups';

const api = useTestApi({ CORS_ORIGINS: 'https://app.example' });
let session: TestSession;
beforeAll(async () => {
  session = await api.session();
});

const get = (headers: Record<string, string | string[]>): request.Test => {
  const test = request(api.url).get(PATH);
  // One by one: a list becomes a header that is sent twice.
  for (const [name, value] of Object.entries(headers)) test.set(name, value as string);
  return test;
};
const filled = (headers: Record<string, string | string[]>): Record<string, string | string[]> =>
  JSON.parse(JSON.stringify(headers).replaceAll('<key>', session.apiKey)) as Record<string, string | string[]>;

describe('the API key of a request', () => {
  it.each<Record<string, string | string[]>>([
    { Authorization: 'ApiKey <key>' },
    { Authorization: 'APIKEY   <key> ' },
    { Authorization: 'Bearer <key>' },
    { Authorization: 'bearer <key>' },
    { Authorization: '<key>' },
    { 'X-Api-Key': '<key>' },
    { 'x-api-key': ' <key> ' },
    { Authorization: 'Bearer <key>', 'X-Api-Key': '<key>' },
  ])('should be taken from %j', async (headers) => {
    await get(filled(headers)).expect(200);
  });

  it.each<Record<string, string | string[]>>([
    { Authorization: 'Basic <key>' },
    { Authorization: 'Basic <key>', 'X-Api-Key': '<key>' },
    { Authorization: 'ApiKey <key> <key>' },
    { Authorization: 'ApiKey <key>', 'X-Api-Key': '<key>x' },
    { Authorization: '0123456789abcdef0123456789abcdef', 'X-Api-Key': '<key>' },
    { 'X-Api-Key': 'ApiKey <key>' },
    { 'X-Api-Key': ['<key>', '<key>x'] },
    { Authorization: ['ApiKey <key>', 'ApiKey <key>x'] },
    { 'X-Apikey': '<key>' },
    { Cookie: 'X-Api-Key=<key>' },
  ])('should be refused as %j', async (headers) => {
    const { body, text } = await get(filled(headers)).expect(401);
    expect(body).toMatchObject({ code: 'unauthorized', error: 'Unauthorized' });
    expect(text).not.toContain(session.apiKey);
  });

  it('should not be taken from the query', async () => {
    await request(api.url).get(`${PATH}?apiKey=${session.apiKey}&x-api-key=${session.apiKey}`).expect(401);
  });

  it('should be allowed to browsers of the configured origin in either header', async () => {
    for (const name of ['authorization', 'x-api-key', 'idempotency-key']) {
      const { headers } = await request(api.url)
        .options(PATH)
        .set('Origin', 'https://app.example')
        .set('Access-Control-Request-Method', 'POST')
        .set('Access-Control-Request-Headers', name);
      expect(headers['access-control-allow-headers']?.toLowerCase()).toContain(name);
    }
  });
});

/** What the compatible system's own tests expect. */
describe('compatibility: authentication', () => {
  const status = async (header?: string): Promise<number> => {
    const call = request(api.url).get('/v1/notification-groups');
    return (await (header === undefined ? call : call.set('Authorization', header))).status;
  };

  it('should refuse a missing header, another scheme, an empty key and an unknown key', async () => {
    const bad = [undefined, 'Bearer abc', `Token ${session.apiKey}`, 'ApiKey ', 'ApiKey unknown'];
    expect(await Promise.all(bad.map(status))).toEqual(bad.map(() => 401));
  });

  it('should accept a valid key', async () => {
    expect(await status(`ApiKey ${session.apiKey}`)).toBe(200);
  });

  it('should answer the health check without a key', async () => {
    const { body } = await request(api.url).get('/v1/health-check').expect(200);
    expect(body).toMatchObject({ data: { status: 'ok' } });
  });
});
