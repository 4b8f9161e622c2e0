import type { KeyScope } from '#libs/common';
import { TestSession } from '../harness/index.js';
import { dataOf } from '../support/answers.js';
import { OPERATIONS } from '../access/operations.js';
import { type Operation, operationsOf, readDocument } from '../support/routes.js';
import { useHerald } from '../support/herald.js';

const KEYS = '/v1/environments/api-keys';

const api = useHerald();
let session: TestSession;
beforeAll(async () => {
  session = await api.session();
});

const withScopes = async (...scopes: KeyScope[]): Promise<TestSession> => {
  const { key } = await dataOf<{ key: string }>(session.post(KEYS, { name: 'limited', scopes }), 201);
  return new TestSession(api.url, { ...session, apiKey: key });
};

describe('scopes', () => {
  it('should say which one is missing', async () => {
    const { body } = await (await withScopes('read', 'write', 'admin')).post('/v1/events/trigger', {}).expect(403);
    expect(body).toMatchObject({ statusCode: 403, error: 'Forbidden', code: 'scope_missing' });
    expect((body as { message: string }).message).toContain("'trigger'");
  });

  it('should ask for the same under every spelling of a route', async () => {
    const reader = await withScopes('read');
    for (const path of ['/v1/ENVIRONMENTS/api-keys', '/v1/environments/api-keys/', '/v1/environments/api%2Dkeys']) {
      expect([403, 404]).toContain((await reader.get(path)).status);
    }
    expect((await reader.post('/v1/feeds', { name: 'x' }).set('X-HTTP-Method-Override', 'GET')).status).toBe(403);
  });

  it('should stand in the OpenAPI document', () => {
    const isOfKeys = ({ operationId }: Operation): boolean =>
      !['public', 'subscriber'].includes(OPERATIONS[operationId] ?? '');
    const told = operationsOf(readDocument()).filter(({ operation }) => isOfKeys(operation));
    expect(told.length).toBeGreaterThan(200);
    for (const { operation } of told) {
      const scope = (operation as unknown as Record<string, unknown>)['x-herald-scope'];
      const [needed] = OPERATIONS[operation.operationId]?.split(' + ') ?? [];
      const isRefusalTold = operation.responses['403'] !== undefined;
      expect([operation.operationId, scope, isRefusalTold]).toEqual([operation.operationId, needed, true]);
    }
  });
});
