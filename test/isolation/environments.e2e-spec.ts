import { ObjectId } from 'bson';
import type { TestSession } from '../harness/index.js';
import { unique, UNKNOWN_ID } from '../factories/ids.js';
import { PNG } from '../factories/image.factory.js';
import { activeEmailFactory, integrationFactory } from '../factories/integration.factory.js';
import { codeOf, dataOf, type Json } from '../support/answers.js';
import { createWorkflow, email, feedOf, inApp, trigger } from '../support/delivery.js';
import { useDelivery } from '../support/herald.js';
import { operationsOf, readDocument, resolve } from '../support/routes.js';
import { exampleOf } from '../../tools/openapi-example.mjs';

const INTEGRATIONS = '/v1/integrations';
const BRANDING = '/v1/organizations/branding';

const delivery = useDelivery();
let development: TestSession;
let production: TestSession;
beforeEach(async () => {
  [development, production] = await delivery.siblings();
});

describe('_environmentId in a body', () => {
  const others = (): [string, string][] => [
    ['of another environment of the organization', production.environmentId],
    ['of nobody', UNKNOWN_ID],
  ];

  it('should be refused where it is not the own one, known or unknown alike', async () => {
    const made = await dataOf(development.post(INTEGRATIONS, activeEmailFactory()), 201);
    const path = `${INTEGRATIONS}/${String(made['_id'])}`;
    const texts = new Set<string>();
    for (const [, _environmentId] of others()) {
      const created = await development.post(INTEGRATIONS, activeEmailFactory({ _environmentId })).expect(403);
      const moved = await development.put(path, { _environmentId, name: 'Moved' }).expect(403);
      for (const { body } of [created, moved]) {
        expect(body).toMatchObject({ code: 'other_environment' });
        texts.add((body as { message: string }).message.replaceAll(_environmentId, '<id>'));
      }
    }
    expect(texts.size).toBe(1);
    expect(await dataOf(production.get(INTEGRATIONS), 200)).toEqual([]);
    expect(await dataOf(development.get(INTEGRATIONS), 200)).toEqual([made]);
  });

  it('should be refused before anything is looked up', async () => {
    const body = { _environmentId: production.environmentId };
    expect(await codeOf(development.put(`${INTEGRATIONS}/${UNKNOWN_ID}`, body), 403)).toBe('other_environment');
  });

  it('should be taken where it is the own one', async () => {
    const _environmentId = development.environmentId.toUpperCase();
    const made = await dataOf(development.post(INTEGRATIONS, integrationFactory({ _environmentId })), 201);
    expect(made).toMatchObject({ _environmentId: development.environmentId });
    const path = `${INTEGRATIONS}/${String(made['_id'])}`;
    expect(await dataOf(development.put(path, { _environmentId }), 200)).toMatchObject({ _id: made['_id'] });
  });
});

describe('branding', () => {
  it('should be that of the environment', async () => {
    await dataOf(production.put(BRANDING, { color: '#00aa55', fontFamily: 'Inter' }), 200);
    await dataOf(development.put(BRANDING, { color: '#ff0000', logo: 'https://evil.example/logo.png' }), 200);
    const { identifier } = await createWorkflow(production, [inApp('{{branding.color}} {{branding.logo}}')]);
    await trigger(production, { name: identifier, to: 'ann' });
    await delivery.drain();
    expect(await feedOf(production, 'ann')).toMatchObject([{ content: '#00aa55 ' }]);
    expect(await dataOf(production.get('/v1/organizations/me'), 200)).toMatchObject({
      branding: { color: '#00aa55', fontFamily: 'Inter' },
    });
  });

  it('should begin as that of the organization, where there is one from before', async () => {
    const former = { color: '#123456', fontFamily: 'Inter' };
    const own = { _id: new ObjectId(development.organizationId) };
    await delivery.stored('organizations').updateOne(own, { $set: { branding: former } });
    const brandingOf = async (session: TestSession): Promise<unknown> =>
      (await dataOf(session.get('/v1/organizations/me'), 200))['branding'];
    expect(await brandingOf(production)).toEqual(former);
    expect(await dataOf(development.put(BRANDING, { color: null }), 200)).toEqual({ fontFamily: 'Inter' });
    expect([await brandingOf(development), await brandingOf(production)]).toEqual([{ fontFamily: 'Inter' }, former]);
  });

  it('should keep every one of several first changes at once', async () => {
    const changes = [{ color: '#111111' }, { fontColor: '#222222' }, { fontFamily: 'Inter' }, { logo: null }];
    await Promise.all(changes.map((change) => dataOf(development.put(BRANDING, change), 200)));
    const expected = { color: '#111111', fontColor: '#222222', fontFamily: 'Inter' };
    expect(await dataOf(development.put(BRANDING, {}), 200)).toEqual(expected);
  });
});

describe('a key of Development', () => {
  /** One record of each kind, and what was sent with them. @returns every id that a path could name */
  async function furnish(session: TestSession): Promise<Record<string, string>> {
    const idOf = async (path: string, body: object, key = '_id'): Promise<string> =>
      String((await dataOf(session.post(path, body), 201))[key]);
    const workflow = await createWorkflow(session, [inApp('Hello'), email('Hello', '<p>Hello</p>')]);
    await idOf('/v1/subscribers', { subscriberId: 'ann', email: 'ann@example.com' });
    const tenant = await idOf('/v1/tenants', { identifier: 'acme', name: 'Acme' }, 'identifier');
    const transactionId = await trigger(session, { name: workflow.identifier, to: 'ann', tenant: 'acme' });
    await delivery.drain();
    const [notification] = await dataOf<{ _id: string; jobs: { _id: string }[] }[]>(
      session.get(`/v1/notifications?transactionId=${transactionId}`),
      200,
    );
    const [message] = await feedOf(session, 'ann');
    const key = await dataOf(session.post('/v1/environments/api-keys', { name: 'second' }), 201);
    const override = { workflowId: workflow._id, tenantId: tenant, active: true };
    const overrideId = String((await dataOf(session.post('/v1/workflow-overrides', override), 200))['_id']);
    await dataOf(session.put(BRANDING, { color: '#00aa55' }), 200);
    return {
      workflowId: workflow._id,
      tenantId: tenant,
      identifier: tenant,
      subscriberId: 'ann',
      overrideId,
      transactionId,
      notificationId: notification?._id ?? '',
      jobId: notification?.jobs[0]?._id ?? '',
      messageId: message?._id ?? '',
      apiKeyId: String(key['_id']),
      integrationId: await idOf(INTEGRATIONS, activeEmailFactory()),
      imageId: await idOf('/v1/images', { name: 'a.png', file: PNG }),
      feedId: await idOf('/v1/feeds', { name: 'News' }),
      groupId: await idOf('/v1/notification-groups', { name: 'More' }),
      layoutId: await idOf('/v1/layouts', { name: 'Plain', identifier: 'plain', content: '{{{body}}}' }),
      topicKey: (await session.post('/v1/topics', { key: 'news', name: 'News' }).expect(201)) && 'news',
      segmentId: await idOf('/v1/segments', { segmentId: 'all', name: 'All', conditions: [] }, 'segmentId'),
      webhookId: await idOf('/v1/webhooks', { url: 'https://example.com/hook', events: ['message.sent'] }),
      deliveryId: UNKNOWN_ID,
      providerId: 'fcm',
      channel: 'email',
      type: 'primary',
      level: 'global',
    };
  }

  /** Everything that is stored of an environment, but when its keys were used. */
  async function stateOf(session: TestSession): Promise<Json> {
    const { environmentId } = session;
    await session.get('/v1/activity/delivery').expect(200); // writes what was counted until now
    // Workers count in their own time.
    const collections = (await delivery.collections()).filter((name) => !name.startsWith('activityTall'));
    const rows = await Promise.all(
      collections.map(async (name): Promise<[string, unknown]> => {
        const ids = [environmentId, new ObjectId(environmentId)];
        const own = await delivery.stored(name).find({ _environmentId: { $in: ids } });
        return [name, own.map(({ lastUsedAt: _lastUsedAt, ...row }) => row)];
      }),
    );
    return JSON.parse(JSON.stringify(Object.fromEntries(rows))) as Json;
  }

  it('should change nothing of Production by any route, path or field', async () => {
    const ids = await furnish(production);
    // The same names exist here, so that what names them is carried out here.
    await furnish(development);
    const document = readDocument();
    const writes = operationsOf(document).filter(({ method, operation }) => method !== 'GET' && operation.security === undefined); // prettier-ignore
    expect(writes.length).toBeGreaterThan(60);
    const before = await stateOf(production);
    expect(Object.values(before).filter((rows) => (rows as unknown[]).length > 0).length).toBeGreaterThan(15);

    const carriedOut: string[] = [];
    for (const { method, path, operation } of writes) {
      const target = path.replace(/\{([^}]+)\}/g, (_all, name: string) => encodeURIComponent(ids[name] ?? name));
      const schema = operation.requestBody?.content['application/json']?.schema;
      const example = exampleOf(document, resolve(document, schema)) as Json;
      const foreign = {
        _environmentId: production.environmentId,
        environmentId: production.environmentId,
        _organizationId: production.organizationId,
      };
      const query = new URLSearchParams(foreign).toString();
      // The last one with the ids of Production in every field that names a record.
      const bodies = [{}, { ...example, ...foreign }, { ...example, ...idFields(ids), identifier: unique('id') }];
      for (const body of bodies) {
        const call = development[method.toLowerCase() as 'post'](`${target}?${query}`, body);
        const { status } = await call.set('X-Novu-Environment-Id', production.environmentId);
        expect([method, path, status >= 500]).toEqual([method, path, false]);
        if (status < 300) carriedOut.push(`${method} ${path}`);
      }
      await delivery.drain();
    }
    // Not a test of refusals only: a good part of the bodies is sound and changes Development.
    expect(new Set(carriedOut).size).toBeGreaterThan(20);
    expect(await stateOf(production)).toEqual(before);
  });

  function idFields(ids: Record<string, string>): Json {
    return {
      workflowId: ids['workflowId'],
      notificationGroupId: ids['groupId'],
      layoutId: ids['layoutId'],
      feedId: ids['feedId'],
      _parentId: ids['groupId'],
      messageId: ids['messageId'],
      integrationId: ids['integrationId'],
    };
  }
});
