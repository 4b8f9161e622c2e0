import { PROVIDER_CATALOGUE } from '#libs/channels';
import { createLayout } from '../factories/layout.factory.js';
import { unique } from '../factories/ids.js';
import { codeOf, dataOf, faultsOf, type Json } from '../support/answers.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { eventually } from '../support/eventually.js';
import { joined, PASSWORD, SignedInBrowser } from '../support/signed-in-browser.js';
import { useSession } from '../support/test-api.js';
import { createReceiver } from '../support/webhook-receiver.js';
import { AuditTrail } from '../../src/outcomes/audit-log/index.js';
import { WebhookWorker } from '../../src/outcomes/webhooks/index.js';
import { ErasureWorker } from '../../src/operations/personal-data/index.js';

const delivery = useDeliveryApi('audit_log');
const session = useSession(delivery.api);

interface Entry extends Json {
  readonly _id: string;
  readonly action: string;
  readonly actor: Json;
  readonly resource: Json;
  readonly changes?: Json[];
}
interface Page {
  readonly entries: Entry[];
  readonly next?: string;
}
const LOG = '/v1/audit-log';
const pageOf = (query = ''): Promise<Page> => dataOf<Page>(session.get(`${LOG}${query}`), 200);
const entries = async (query = ''): Promise<Entry[]> => (await pageOf(query)).entries;
const lastOf = async (action: string): Promise<Entry> => {
  const [entry] = await entries(`?action=${action}`);
  if (entry === undefined) throw new Error(`No entry of ${action}`);
  return entry;
};
const actions = async (query = ''): Promise<string[]> => (await entries(query)).map(({ action }) => action);
/** What is stored of the environment, as text. */
const stored = async (): Promise<string> => {
  const rows = await delivery.rows('auditEntries');
  return rows
    .map((row) => JSON.stringify(row))
    .filter((row) => row.includes(session.environmentId))
    .join('\n');
};

describe('the audit log', () => {
  it('should have who changed what, from where, and the difference', async () => {
    const { _id } = await dataOf(session.post('/v1/layouts', { name: 'Plain', content: '{{{body}}}' }), 201);
    await session
      .patch(`/v1/layouts/${String(_id)}`, { name: 'Fancy' })
      .set('User-Agent', 'deploy/1')
      .set('X-Request-Id', 'job-7')
      .expect(200);
    expect(await actions()).toEqual(['updateLayout', 'createLayout']);
    expect(await lastOf('updateLayout')).toEqual({
      _id: expect.any(String) as string,
      id: expect.any(String) as string,
      createdAt: expect.any(String) as string,
      action: 'updateLayout',
      actor: { type: 'api_key', id: expect.any(String) as string, name: 'test' },
      via: 'api',
      ip: '127.0.0.1',
      userAgent: 'deploy/1',
      requestId: 'job-7',
      resource: { type: 'layout', id: _id, name: 'Fancy' },
      outcome: 'done',
      changes: [{ path: 'name', before: 'Plain', after: 'Fancy' }],
    });
    const created = await lastOf('createLayout');
    expect(created).toMatchObject({ resource: { type: 'layout', id: _id, name: 'Plain' } });
    expect(created.changes).toContainEqual({ path: 'content', after: '{{{body}}}' });
    await session.delete(`/v1/layouts/${String(_id)}`).expect(204);
    expect((await lastOf('deleteLayout')).changes).toContainEqual({ path: 'name', before: 'Fancy' });
  });

  it('should name the person who uses the console', async () => {
    const owner = await joined(session, 'owner');
    const { _id } = await dataOf(owner.post('/v1/feeds', { name: 'News' }), 201);
    expect(await lastOf('createFeed')).toMatchObject({
      actor: { type: 'user', email: owner.email, name: expect.any(String) as string },
      via: 'console',
      resource: { type: 'feed', id: _id, name: 'News' },
    });
  });

  it('should tell a push from other changes, and have none of those that changed nothing', async () => {
    const path = '/v1/definitions/layouts/plain';
    const body = { identifier: 'plain', name: 'Plain', content: '{{{body}}}' };
    await session.put(`${path}?dryRun=true`, body).expect(200);
    await session.put(path, body).expect(200);
    await session.put(path, body).expect(200);
    await session.put(path, { ...body, name: 'Other' }).expect(200);
    const found = await entries();
    expect(found).toMatchObject([
      { action: 'defineLayout', via: 'files', changes: [{ path: 'name', before: 'Plain', after: 'Other' }] },
      { action: 'defineLayout', via: 'files', resource: { type: 'layout', name: 'Plain' } },
    ]);
    // The history of the layout has what files and the console did.
    await session.patch(`/v1/layouts/${String(found[0]?.resource['id'])}`, { name: 'Third' }).expect(200);
    expect(await actions(`?resourceType=layout&resourceId=${String(found[0]?.resource['id'])}`)).toEqual([
      'updateLayout',
      'defineLayout',
      'defineLayout',
    ]);
  });

  it('should have the definitions of all that files hold', async () => {
    await session.put('/v1/definitions/feeds/News', { name: 'News' }).expect(200);
    await session.put('/v1/definitions/notification-groups/Orders', { name: 'Orders' }).expect(200);
    await session.put('/v1/definitions/translations/en', { locale: 'en', messages: { hello: 'Hello' } }).expect(200);
    const workflow = { identifier: 'hello', name: 'Hello', notificationGroup: 'Orders', steps: [] };
    await session.put('/v1/definitions/workflows/hello', workflow).expect(200);
    await session.put('/v1/definitions/budgets/few', { name: 'few', max: 3 }).expect(200);
    await session.post('/v1/tenants', { identifier: 'acme', name: 'Acme' }).expect(201);
    const override = { workflow: 'hello', tenant: 'acme', active: false };
    await session.put('/v1/definitions/workflow-overrides/hello/acme', override).expect(200);
    const defined = (await entries()).filter(({ via }) => via === 'files');
    expect(defined.map(({ resource }) => resource['type'])).toEqual([
      'workflow-override',
      'budget',
      'workflow',
      'translation',
      'notification-group',
      'feed',
    ]);
    for (const entry of defined) expect(entry.changes).not.toEqual([]);
    expect(await dataOf(session.get('/v1/workflows/hello'), 200)).toMatchObject({ _id: defined[2]?.resource['id'] });
  });

  it('should have nothing of what was refused', async () => {
    const { _id } = await createLayout(session);
    await session.patch(`/v1/layouts/${String(_id)}`, { name: '' }).expect(400);
    await session.patch('/v1/layouts/64f0c1a2b3c4d5e6f7a8b9c0', { name: 'x' }).expect(404);
    await session.post('/v1/layouts', {}).expect(400);
    expect(await actions()).toEqual(['createLayout']);
  });

  it('should have one entry of a request that is repeated with its Idempotency-Key', async () => {
    for (let n = 0; n < 2; n += 1) {
      await session.post('/v1/feeds', { name: 'Once' }).set('Idempotency-Key', 'one').expect(201);
    }
    expect(await actions()).toEqual(['createFeed']);
  });
});

describe('secrets', () => {
  it('should never be stored, for any provider', async () => {
    const secret = (name: string, turn: number): string => `sentinel-${turn}-${name}`;
    for (const { id, channel, credentials } of PROVIDER_CATALOGUE) {
      const valuesIn = (turn: number): Json =>
        Object.fromEntries(
          credentials
            .filter(({ type }) => type === undefined || type === 'string')
            .map(({ key }) => [key, secret(key, turn)]),
        );
      const made = await session.post('/v1/integrations', {
        providerId: id,
        channel,
        active: false,
        credentials: valuesIn(1),
      });
      if (made.status !== 201) continue;
      const { _id } = dataOf<{ _id: string }>(made);
      await session.put(`/v1/integrations/${_id}`, { credentials: valuesIn(2) });
      await session.delete(`/v1/integrations/${_id}`).expect(200);
    }
    const changed = await entries('?action=updateIntegration&limit=200');
    expect(changed.length).toBeGreaterThan(50);
    const hidden = changed.flatMap(({ changes = [] }) => changes.filter((change) => change['hidden'] === 'secret'));
    expect(hidden.length).toBeGreaterThan(50);
    const text = await stored();
    const told = new Set(Array.from(text.matchAll(/sentinel-\d-(\w+)/g), ([, name]) => name));
    // What integrations show to whoever may read.
    const reader = await dataOf<{ key: string }>(
      session.post('/v1/environments/api-keys', { name: 'reader', scopes: ['read'] }),
      201,
    );
    for (const { id, channel, credentials } of PROVIDER_CATALOGUE) {
      const values = Object.fromEntries(credentials.map(({ key }) => [key, 'x']));
      await session.post('/v1/integrations', { providerId: id, channel, active: false, credentials: values });
    }
    const seen = await dataOf<{ credentials: Json }[]>(
      session.get('/v1/integrations').set('Authorization', `ApiKey ${reader.key}`),
      200,
    );
    const masked = new Set(
      seen.flatMap(({ credentials }) => Object.keys(credentials).filter((key) => credentials[key] === '********')),
    );
    expect(masked.size).toBeGreaterThan(10);
    expect([...told].filter((name) => name !== undefined && masked.has(name))).toEqual([]);
  });

  it('should never be stored of keys, links, webhooks, accounts and the environment', async () => {
    const secrets: unknown[] = [PASSWORD, 'value-one-4711', 'value-two-4711'];
    const issued = await dataOf(session.post('/v1/environments/api-keys', { name: 'ci', scopes: ['read'] }), 201);
    const rotated = await dataOf(session.post(`/v1/environments/api-keys/${String(issued['_id'])}/rotate`), 201);
    const hook = await dataOf(
      session.post('/v1/webhooks', { url: 'http://127.0.0.1:1/x', events: ['message.sent'] }),
      201,
    );
    const again = await dataOf(session.post(`/v1/webhooks/${String(hook['_id'])}/secret/rotate`), 201);
    const condition = await dataOf(session.post('/v1/condition-webhooks/secret/rotate'), 201);
    await session.put('/v1/secrets/CRM', { value: 'value-one-4711', hosts: ['crm.example.com'] }).expect(200);
    await session.put('/v1/secrets/CRM', { value: 'value-two-4711' }).expect(200);
    const invited = await dataOf(
      session.post('/v1/users/invitations', { email: 'x@example.com', role: 'viewer' }),
      201,
    );
    const owner = await joined(session, 'owner');
    const totp = await dataOf(owner.post('/v1/users/me/totp', { password: PASSWORD }), 201);
    await owner
      .put('/v1/users/me/password', { currentPassword: PASSWORD, newPassword: 'river lamp oval 74' })
      .expect(204);
    secrets.push(issued['key'], rotated['key'], hook['secret'], again['secret'], condition['secret'], totp['secret']);
    secrets.push(String(invited['url']).split('#')[1], 'river lamp oval 74', owner.csrfToken);
    expect(secrets.every((one) => typeof one === 'string' && one.length > 9)).toBe(true);
    const text = await stored();
    for (const secret of secrets) expect(text).not.toContain(secret);

    expect((await lastOf('rotateApiKey')).resource).toMatchObject({ type: 'api-key', id: rotated['_id'], name: 'ci' });
    expect((await lastOf('rotateWebhookSecret')).changes).toEqual([{ path: 'secret', hidden: 'secret' }]);
    expect((await lastOf('setSecret')).changes).toEqual([{ path: 'value', hidden: 'secret' }]);
    expect(await lastOf('changeMyPassword')).toMatchObject({ resource: { type: 'user', name: owner.email } });
    expect(await lastOf('inviteUser')).toMatchObject({
      resource: { type: 'invitation', name: owner.email },
    });
  });
});

describe('subscribers', () => {
  it('should be recorded without values, and keys only where they delete', async () => {
    await session.post('/v1/subscribers', { subscriberId: 'ada-4711', email: 'ada@example.com' }).expect(201);
    await session.put('/v1/subscribers/ada-4711', { firstName: 'Ada' }).expect(200);
    await session.post('/v1/topics', { key: 'news', name: 'News' }).expect(201);
    expect(await actions()).toEqual([]);
    const editor = await joined(session, 'editor');
    await editor.put('/v1/subscribers/ada-4711', { firstName: 'Augusta', data: { plan: 'pro' } }).expect(200);
    const changed = await lastOf('updateSubscriber');
    expect(changed).toMatchObject({
      resource: { type: 'subscriber', id: expect.any(String) as string, name: 'ada-4711' },
      changes: [
        { path: 'firstName', hidden: 'personal' },
        { path: 'data.plan', hidden: 'personal' },
      ],
    });
    expect(await actions('?resourceType=subscriber&resourceId=ada-4711')).toEqual(['updateSubscriber']);
    await session.delete('/v1/subscribers/ada-4711').expect(200);
    await delivery.api.app.get(ErasureWorker).drain(new Date(delivery.clock.now().getTime() + 120_000));
    expect(await lastOf('deleteSubscriber')).toMatchObject({
      resource: changed.resource['id'] && { type: 'subscriber' },
    });
    expect((await lastOf('updateSubscriber')).resource).toEqual({ type: 'subscriber', id: changed.resource['id'] });
    expect(await stored()).not.toMatch(/ada-4711|Augusta|ada@example/);
  });

  it('should be recorded when somebody exports them, page by page', async () => {
    await session.post('/v1/subscribers', { subscriberId: 'bob' }).expect(201);
    const { next } = await dataOf(session.get('/v1/subscribers/bob/export?limit=1'), 200);
    await session.get(`/v1/subscribers/bob/export?cursor=${String(next)}`).expect(200);
    await session.get('/v1/suppressions/export').expect(200);
    expect(await actions()).toEqual(['exportSuppressions', 'exportSubscriber', 'exportSubscriber']);
  });
});

describe('people', () => {
  it('should be recorded when they sign in, and when somebody guesses, in all their environments', async () => {
    const owner = await joined(session, 'owner');
    const browser = new SignedInBrowser(delivery.api.url);
    await browser.signIn(owner.email);
    await browser.post('/v1/users/session', { email: owner.email, password: 'not the one 12' }).expect(401);
    await browser.post('/v1/users/session', { email: 'nobody@example.com', password: 'not the one 12' }).expect(401);
    await eventually(async () => {
      expect((await entries('?action=signIn')).map(({ outcome }) => outcome)).toEqual(['refused', 'done']);
    });
    expect(await entries('?action=signIn')).toMatchObject([
      { actor: { type: 'user', email: owner.email }, errorCode: 'sign_in_failed' },
      { actor: { type: 'user', email: owner.email } },
    ]);
    expect(await stored()).not.toContain('nobody@example.com');
    await browser
      .put('/v1/users/me/password', { currentPassword: 'wrong one 12345', newPassword: PASSWORD })
      .expect(403);
    expect(await lastOf('changeMyPassword')).toMatchObject({ outcome: 'refused', errorCode: 'password_wrong' });
    await browser.delete('/v1/users/session').expect(204);
    expect(await lastOf('signOut')).toMatchObject({ outcome: 'done' });
    expect(await lastOf('acceptInvitation')).toMatchObject({ actor: { email: owner.email } });
  });

  it('should be recorded when their role changes', async () => {
    const owner = await joined(session, 'owner');
    const viewer = await joined(session, 'viewer');
    const { _id } = await viewer.signIn(viewer.email);
    await owner.patch(`/v1/users/${_id}`, { role: 'editor' }).expect(200);
    const changed = await lastOf('changeUserRole');
    expect(changed).toMatchObject({ actor: { email: owner.email }, resource: { type: 'user', id: _id } });
    const id = expect.stringMatching(/^[0-9a-f]{24}$/) as unknown;
    expect(changed.changes).toEqual([
      { path: 'role', before: 'viewer', after: 'editor' },
      { path: 'issuedBy', before: id, after: id },
    ]);
  });
});

describe('GET /v1/audit-log', () => {
  const made = async (): Promise<void> => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      await session.post('/v1/feeds', { name }).expect(201);
      delivery.clock.advance(1_000);
    }
  };

  it('should go on where the page before ended', async () => {
    await made();
    const whole = await entries();
    expect(whole.map(({ resource }) => resource['name'])).toEqual(['e', 'd', 'c', 'b', 'a']);
    for (const limit of [1, 2, 5]) {
      const found: Entry[] = [];
      let page = await pageOf(`?limit=${limit}`);
      for (found.push(...page.entries); page.next !== undefined; found.push(...page.entries)) {
        page = await pageOf(`?limit=${limit}&cursor=${page.next}`);
      }
      expect(found).toEqual(whole);
    }
    expect(await faultsOf(session.get(`${LOG}?cursor=x`))).toEqual(['cursor must be the next of an earlier page']);
  });

  it('should filter by who, what and when', async () => {
    await made();
    const [, second, third] = await entries();
    const from = encodeURIComponent(String(third?.['createdAt']));
    const to = encodeURIComponent(String(second?.['createdAt']));
    expect(await entries(`?from=${from}&to=${to}`)).toEqual([third]);
    expect(await entries(`?actorId=${String(third?.actor['id'])}`)).toHaveLength(5);
    expect(await entries('?actorId=64f0c1a2b3c4d5e6f7a8b9c0')).toEqual([]);
    expect(await entries('?resourceType=layout')).toEqual([]);
    expect(await entries(`?resourceId=${String(third?.resource['id'])}`)).toEqual([third]);
    expect(await entries('?resourceType=subscriber&resourceId=nobody')).toEqual([]);
  });

  it('should export JSON lines, which becomes an entry', async () => {
    await made();
    const whole = await entries();
    const answer = await session.get(`${LOG}/export?resourceType=feed`).buffer(true).expect(200);
    expect(answer.headers['content-type']).toContain('application/x-ndjson');
    const text = answer.text || String(answer.body);
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(whole);
    expect(await lastOf('exportAuditLog')).toMatchObject({ resource: { type: 'audit-log' }, outcome: 'done' });
  });

  it('should be for those who may do everything, in their environment', async () => {
    const { key } = await dataOf(
      session.post('/v1/environments/api-keys', { name: 'r', scopes: ['read', 'write', 'trigger'] }),
      201,
    );
    expect(await codeOf(session.get(LOG).set('Authorization', `ApiKey ${String(key)}`), 403)).toBe('scope_missing');
    const other = await delivery.api.session();
    expect(await dataOf<Page>(other.get(LOG), 200)).toEqual({ entries: [] });
  });
});

describe('audit.recorded', () => {
  const sent = async (): Promise<void> => delivery.api.app.get(WebhookWorker).drain();

  it('should be sent for each entry, once', async () => {
    const hook = await createReceiver(session, ['audit.recorded']);
    try {
      const { _id } = await dataOf(session.post('/v1/feeds', { name: unique('feed') }), 201);
      await sent();
      const told = hook
        .bodies()
        .filter(({ data }) => (data as unknown as { entry: Entry }).entry.action === 'createFeed');
      expect(told).toMatchObject([
        { type: 'audit.recorded', data: { entry: { resource: { id: _id }, outcome: 'done' } } },
      ]);
      expect((told[0]?.data as unknown as { entry: Entry }).entry).toEqual(await lastOf('createFeed'));
    } finally {
      await hook.server.close();
    }
  });

  it('should be sent, and the entry be there without an outcome, if Herald was stopped meanwhile', async () => {
    const hook = await createReceiver(session, ['audit.recorded']);
    try {
      const trail = delivery.api.app.get(AuditTrail);
      const origin = { ip: '127.0.0.1', userAgent: '', requestId: 'r' };
      const actor = { type: 'api_key', id: 'k' } as const;
      await trail.begin([session], { action: 'deleteFeed', actor, via: 'api', ...origin, resource: { type: 'feed' } });
      await trail.tellUntold();
      const told = (): unknown[] =>
        hook.bodies().filter(({ data }) => (data as unknown as { entry: Entry }).entry.action === 'deleteFeed');
      await sent();
      expect(told()).toEqual([]);
      delivery.clock.advance(120_000);
      for (let n = 0; n < 2; n += 1) await trail.tellUntold();
      await sent();
      expect(told()).toHaveLength(1);
      expect(await lastOf('deleteFeed')).not.toHaveProperty('outcome');
    } finally {
      await hook.server.close();
    }
  });
});
