import { KEY_SCOPES, type KeyScope } from '#libs/common';
import { TestSession } from '../harness/index.js';
import { dataOf } from '../support/answers.js';
import { documentedPath, fill, operationsOf, readDocument, type Route, routesOf } from '../support/routes.js';
import { useTestApi } from '../support/test-api.js';

const KEYS = '/v1/environments/api-keys';

/** Routes that need another scope than their method says: `read` for GET, `write` for the others. */
const DECLARED: Record<string, KeyScope> = {
  // they send messages, or call them off
  'POST /v1/events/trigger': 'trigger',
  'POST /v1/events/trigger/bulk': 'trigger',
  'POST /v1/events/trigger/broadcast': 'trigger',
  'DELETE /v1/events/trigger/:transactionId': 'trigger',
  'POST /v1/workflows/:workflowId/steps/:stepId/test': 'trigger',
  // it sends nothing, but shows what may be read with another scope and asks webhooks
  'POST /v1/events/trigger/dry-run': 'trigger',
  'POST /v1/events/signal': 'trigger',
  'POST /v1/schedules/:scheduleId/run': 'trigger',
  // they change nothing
  'POST /v1/schedules/preview': 'read',
  'POST /v1/schedules/:scheduleId/dry-run': 'read',
  'POST /v1/workflows/:workflowId/steps/:stepId/preview': 'read',
  'POST /v1/workflows/:workflowId/steps/preview': 'read',
  'POST /v1/layouts/preview': 'read',
  'POST /v1/promotions/preview': 'read',
  'POST /v1/notifications/:notificationId/replay': 'trigger',
  'POST /v1/notifications/:notificationId/jobs/:jobId/replay': 'trigger',
  'POST /v1/notifications/:notificationId/cancel': 'trigger',
  'POST /v1/notifications/replay': 'trigger',
  'POST /v1/notifications/replays/:replayId/stop': 'trigger',
  // keys and secrets
  'GET /v1/environments/api-keys': 'admin',
  'GET /v1/environments/api-keys/all': 'admin',
  'POST /v1/environments/api-keys': 'admin',
  'POST /v1/environments/api-keys/:apiKeyId/rotate': 'admin',
  'DELETE /v1/environments/api-keys/:apiKeyId': 'admin',
  // what Herald sends its own mails through
  'PUT /v1/integrations/:integrationId/system-mail': 'admin',
  'PUT /v1/secrets/:name': 'admin',
  'DELETE /v1/secrets/:name': 'admin',
  'GET /v1/condition-webhooks/secret': 'admin',
  'POST /v1/condition-webhooks/secret/rotate': 'admin',
  'GET /v1/webhooks/:webhookId/secret': 'admin',
  'POST /v1/webhooks/:webhookId/secret/rotate': 'admin',
  'GET /v1/subscribers/:subscriberId/export': 'admin',
  'DELETE /v1/environments/me/sessions': 'admin',
  'PATCH /v1/environments/me': 'admin',
  // people; what they do with their own account needs any role
  'DELETE /v1/users/session': 'read',
  'PATCH /v1/users/me': 'read',
  'PUT /v1/users/me/password': 'read',
  'POST /v1/users/me/totp': 'read',
  'POST /v1/users/me/totp/confirm': 'read',
  'POST /v1/users/me/totp/disable': 'read',
  'DELETE /v1/users/:userId/totp': 'admin',
  'DELETE /v1/users/me/sessions': 'read',
  'DELETE /v1/users/me/sessions/:sessionId': 'read',
  'GET /v1/users': 'admin',
  'GET /v1/users/invitations': 'admin',
  'POST /v1/users/invitations': 'admin',
  'DELETE /v1/users/invitations/:invitationId': 'admin',
  'PATCH /v1/users/:userId': 'admin',
  'DELETE /v1/users/:userId': 'admin',
  'POST /v1/users/:userId/recovery': 'admin',
  'GET /v1/users/:userId/sessions': 'admin',
  'DELETE /v1/users/:userId/sessions': 'admin',
  // what everybody did
  'GET /v1/audit-log': 'admin',
  'GET /v1/audit-log/export': 'admin',
  // the only thing that environments share
  'PATCH /v1/organizations': 'admin',
};
/** They need `trigger` as well: what they change or show sends messages later. */
const AND_TRIGGER = new Set([
  'PATCH /v1/schedules/:scheduleId',
  'POST /v1/schedules/:scheduleId/resume',
  'POST /v1/schedules/:scheduleId/dry-run',
]);
const PUBLIC =
  /^\/v1\/(health-check|provider-callbacks|widgets|inbox|users\/invitations\/(look|accept)$|users\/session\/(options|oidc|oidc\/callback)$)/;
/** Public, on an address that is not. */
const SIGN_IN = 'POST /v1/users/session';

const api = useTestApi();
let session: TestSession;
let routes: (Route & { needed: KeyScope })[];
beforeAll(async () => {
  session = await api.session();
  routes = routesOf(api.app)
    .filter(({ method, path }) => path.startsWith('/v1/') && !PUBLIC.test(path) && `${method} ${path}` !== SIGN_IN)
    .map((route) => ({
      ...route,
      needed: DECLARED[`${route.method} ${route.path}`] ?? (route.method === 'GET' ? 'read' : 'write'),
    }));
});

const withScopes = async (...scopes: KeyScope[]): Promise<TestSession> => {
  const { key } = await dataOf<{ key: string }>(session.post(KEYS, { name: 'limited', scopes }), 201);
  return new TestSession(api.url, { ...session, apiKey: key });
};

describe('scopes', () => {
  it('should have no entry for a route that there is not', () => {
    const known = new Set(routes.map(({ method, path }) => `${method} ${path}`));
    expect(Object.keys(DECLARED).filter((name) => !known.has(name))).toEqual([]);
    expect(routes.length).toBeGreaterThan(100);
  });

  it.each(KEY_SCOPES)('should let a key with nothing but %s do what that allows', async (scope) => {
    const limited = await withScopes(scope);
    for (const { method, path, needed } of routes) {
      const { status, body } = await limited[method.toLowerCase() as 'post'](fill(path), {});
      const code = (body as { code?: string }).code;
      if (needed === scope)
        expect([method, path, code === 'scope_missing']).toEqual([method, path, AND_TRIGGER.has(`${method} ${path}`)]);
      else expect([method, path, status, code]).toEqual([method, path, 403, 'scope_missing']);
    }
  });

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
    const document = readDocument();
    const told = operationsOf(document)
      .filter(({ method, path }) => !PUBLIC.test(path) && `${method} ${path}` !== SIGN_IN)
      .map(({ method, path, operation }) => ({
        name: `${method} ${path}`,
        scope: (operation as unknown as Record<string, unknown>)['x-herald-scope'],
        isRefusalTold: operation.responses['403'] !== undefined,
      }));
    const expected = routes.map(({ method, path, needed }) => ({
      name: `${method} ${documentedPath(path)}`,
      scope: needed,
      isRefusalTold: true,
    }));
    const byName = (a: { name: string }, b: { name: string }): number => a.name.localeCompare(b.name);
    expect(told.sort(byName)).toEqual(expected.sort(byName));
  });
});
