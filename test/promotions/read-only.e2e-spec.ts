import { createWorkflow, workflowPath } from '../factories/workflow.factory.js';
import { codeOf, dataOf, type Json } from '../support/answers.js';
import { useHerald, useSession } from '../support/herald.js';
import { fill } from '../support/routes.js';
import { joined } from '../support/signed-in-browser.js';

const api = useHerald();
const session = useSession(api);

const ME = '/v1/environments/me';
const setReadOnly = (isReadOnly: boolean): Promise<Json> => dataOf(session.patch(ME, { isReadOnly }), 200);
const DEFINITIONS =
  /^\/v1\/(?:workflows|notification-templates|layouts|translations|feeds|notification-groups|workflow-overrides|budgets|definitions)(?:\/|$)/;
/** They store nothing of a definition. */
const NO_CHANGES = [
  'POST /v1/layouts/preview',
  'POST /v1/workflows/:workflowId/impact',
  'POST /v1/workflows/:workflowId/steps/preview',
  'POST /v1/workflows/:workflowId/steps/:stepId/preview',
  'POST /v1/workflows/:workflowId/steps/:stepId/test',
];
const FEED = '/v1/definitions/feeds/News';

describe('PATCH /v1/environments/me', () => {
  it('should say whether an environment is read-only', async () => {
    expect(await dataOf(session.get(ME), 200)).toMatchObject({ isReadOnly: false });
    expect(await setReadOnly(true)).toMatchObject({ _id: session.environmentId, isReadOnly: true });
    expect(await dataOf(session.get(ME), 200)).toMatchObject({ isReadOnly: true });
    const { entries } = await dataOf<{ entries: Json[] }>(session.get('/v1/audit-log?limit=1'), 200);
    expect(entries).toEqual([
      expect.objectContaining({
        action: 'updateCurrentEnvironment',
        changes: [{ path: 'isReadOnly', before: false, after: true }],
      }),
    ]);
  });

  it('should be for owners', async () => {
    for (const role of ['viewer', 'editor']) {
      const person = await joined(session, role);
      expect(await codeOf(person.patch(ME, { isReadOnly: true }), 403)).toBe('scope_missing');
    }
    const owner = await joined(session, 'owner');
    await owner.patch(ME, { isReadOnly: true }).expect(200);
    await owner.patch(ME, { isReadOnly: 'yes' }).expect(400);
    await owner.patch(ME, {}).expect(400);
  });
});

describe('a read-only environment', () => {
  it('should refuse every route that changes a definition', async () => {
    const routes = (await api.routes())
      .filter(({ method, path }) => method !== 'GET' && DEFINITIONS.test(path))
      .filter(({ method, path }) => !NO_CHANGES.includes(`${method} ${path}`));
    expect(routes.length).toBeGreaterThan(30);
    await setReadOnly(true);
    const owner = await joined(session, 'owner');
    for (const { method, path } of routes) {
      const verb = method.toLowerCase() as 'post' | 'put' | 'patch' | 'delete';
      for (const caller of [session, owner]) {
        const { status, body } = await caller[verb](fill(path), {});
        expect([method, path, status, (body as Json)['code']]).toEqual([method, path, 403, 'environment_read_only']);
      }
    }
  });

  it('should still take triggers, subscribers, preferences, tenants and integrations', async () => {
    const { triggers } = await createWorkflow(session, { active: true });
    const [{ identifier }] = triggers as [{ identifier: string }];
    await setReadOnly(true);
    await session.post('/v1/subscribers', { subscriberId: 'ada' }).expect(201);
    const event = { name: identifier, to: 'ada', payload: { name: 'Ada' } };
    await session.post('/v1/events/trigger', event).expect(201);
    await session.patch('/v1/subscribers/ada/preferences', { enabled: false }).expect(200);
    await session.post('/v1/tenants', { identifier: 'acme', name: 'Acme' }).expect(201);
    await session
      .post('/v1/integrations', { providerId: 'novu', channel: 'in_app', credentials: {}, active: true })
      .expect(201);
    await session.get('/v1/workflows').expect(200);
    await session.post('/v1/layouts/preview', { content: '{{{body}}}' }).expect(200);
  });

  it('should change again when an owner allows it', async () => {
    await setReadOnly(true);
    expect(await codeOf(session.post('/v1/feeds', { name: 'News' }), 403)).toBe('environment_read_only');
    await setReadOnly(false);
    await session.post('/v1/feeds', { name: 'News' }).expect(201);
  });

  it('should say what a push would change, and not change it', async () => {
    await setReadOnly(true);
    expect(await dataOf(session.put(`${FEED}?dryRun=true`, { name: 'News' }), 200)).toMatchObject({
      outcome: 'created',
    });
    expect(await codeOf(session.put(FEED, { name: 'News' }), 403)).toBe('environment_read_only');
    expect(await codeOf(session.put(`${FEED}?dryRun=false`, { name: 'News' }), 403)).toBe('environment_read_only');
  });

  it('should take definitions that say they are promoted, and what a promotion deletes, and nothing else that does', async () => {
    const workflow = await createWorkflow(session);
    await setReadOnly(true);
    const promoted = (test: ReturnType<typeof session.put>): typeof test =>
      test.set('Herald-Promoted-From', 'Development%20(version%204)');
    expect(await dataOf(promoted(session.put(FEED, { name: 'News' })), 200)).toMatchObject({ outcome: 'created' });
    expect(await codeOf(promoted(session.post('/v1/feeds', { name: 'Other' })), 403)).toBe('environment_read_only');
    expect(await codeOf(promoted(session.put(workflowPath(workflow), { name: 'Other' })), 403)).toBe(
      'environment_read_only',
    );
    const { data } = (await session.get('/v1/definitions/workflows')).body as { data: { definition: Json }[] };
    const definition = { ...data[0]?.definition, name: 'Promoted' };
    const path = `/v1/definitions/workflows/${String(data[0]?.definition['identifier'])}`;
    expect(await dataOf(promoted(session.put(path, definition)), 200)).toMatchObject({ version: 1 });
    const versions = await dataOf<Json[]>(session.get(`${workflowPath(workflow)}/versions`), 200);
    expect(versions[0]).toMatchObject({ action: 'promoted', note: 'Promoted from Development (version 4)' });
    await promoted(session.delete(workflowPath(workflow))).expect(200);
  });

  it('should refuse what does not say where it is promoted from', async () => {
    await setReadOnly(true);
    for (const value of ['', '%20', '%', 'a'.repeat(201), 'a%0Ab']) {
      await session.put(FEED, { name: 'News' }).set('Herald-Promoted-From', value).expect(400);
    }
  });
});
