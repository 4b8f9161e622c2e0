import { dataOf, faultsOf, type Json } from '../support/answers.js';
import { allowSessionsWithoutHmac, identifierOf } from '../support/browser-session.js';
import { createWorkflow, inApp } from '../support/delivery.js';
import { eventually } from '../support/eventually.js';
import { useHerald, useSession } from '../support/herald.js';

const api = useHerald();
const session = useSession(api);

const refusedWith = async (call: ReturnType<typeof session.get>, status: number): Promise<unknown> => {
  const { body } = await call.expect(status);
  return (body as Json)['code'];
};

describe('/v2/subscribers', () => {
  it('should be the subscribers of /v1', async () => {
    const made = await dataOf(session.post('/v2/subscribers', { subscriberId: 'ada', firstName: 'Ada' }), 201);
    expect(await dataOf(session.get('/v1/subscribers/ada'), 200)).toEqual(made);
    await session.put('/v1/subscribers/ada', { lastName: 'Lovelace' }).expect(200);
    const changed = await dataOf(session.patch('/v2/subscribers/ada', { firstName: null }), 200);
    expect(changed).toMatchObject({ _id: made['_id'], lastName: 'Lovelace' });
    expect(changed).not.toHaveProperty('firstName');
    expect(await dataOf(session.get('/v1/subscribers/ada'), 200)).toEqual(changed);
    expect(await dataOf(session.delete('/v2/subscribers/ada'), 200)).toEqual({ acknowledged: true, status: 'deleted' });
    for (const version of ['v1', 'v2'])
      expect(await refusedWith(session.get(`/${version}/subscribers/ada`), 404)).toBe('subscriber_not_found');
  });

  it('should update one that there is, unless that is refused', async () => {
    const path = '/v2/subscribers?failIfExists=true';
    const firsts = await Promise.all(
      ['a', 'b', 'c', 'd'].map((firstName) => session.post(path, { subscriberId: 'ada', firstName })),
    );
    expect(firsts.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const winner = firsts.find(({ status }) => status === 201);
    const { firstName } = dataOf(winner ?? { body: {} });
    expect(await refusedWith(session.post(path, { subscriberId: 'ada', email: 'ada@example.com' }), 409)).toBe(
      'subscriber_already_exists',
    );
    const updated = await dataOf(session.post('/v2/subscribers', { subscriberId: 'ada', lastName: 'L' }), 201);
    expect(updated).toMatchObject({ firstName, lastName: 'L' });
    expect(updated).not.toHaveProperty('email');
  });

  it('should take over what only sessions know', async () => {
    await allowSessionsWithoutHmac(session);
    const opened = { applicationIdentifier: await identifierOf(session), subscriberId: 'ada' };
    await session.post('/v1/inbox/session', opened).expect(201);
    expect(await refusedWith(session.get('/v2/subscribers/ada'), 404)).toBe('subscriber_not_found');
    const body = { subscriberId: 'ada', firstName: 'Ada' };
    expect(await dataOf(session.post('/v2/subscribers?failIfExists=true', body), 201)).toMatchObject(body);
    expect(await dataOf(session.get('/v1/subscribers/ada'), 200)).toMatchObject(body);
  });

  it('should name every fault', async () => {
    const wrong = { subscriberId: 7, email: 'none', data: 'text' };
    expect(await faultsOf(session.post('/v2/subscribers?failIfExists=maybe', { subscriberId: 'ada' }))).toEqual([
      'failIfExists must be a boolean value',
    ]);
    expect((await faultsOf(session.post('/v2/subscribers', wrong))).map((fault) => fault.split(' ')[0])).toEqual(
      expect.arrayContaining(['subscriberId', 'email', 'data']),
    );
    for (const method of ['patch', 'delete'] as const)
      expect(await refusedWith(session[method]('/v2/subscribers/nobody', {}), 404)).toBe('subscriber_not_found');
  });
});

describe('/v2/subscribers/{subscriberId}/preferences', () => {
  beforeEach(() => session.post('/v1/subscribers', { subscriberId: 'ada' }).expect(201));
  const path = '/v2/subscribers/ada/preferences';

  it('should be the preferences of /v1', async () => {
    const { _id, identifier } = await createWorkflow(session, [inApp('Hi')]);
    await createWorkflow(session, [inApp('Hi')], { critical: true });
    const mine = { slug: identifier, identifier, name: expect.any(String) };
    const before = await dataOf(session.get(path), 200);
    expect(before).toMatchObject({
      workflows: [{ workflow: mine, enabled: true, overrides: [{ source: 'template' }] }],
    });
    const sent = { workflowId: _id, channels: { in_app: false } };
    const after = await dataOf(session.patch(path, sent), 200);
    const override = { channel: 'in_app', source: 'subscriber' };
    expect((after['workflows'] as Json[]).find(({ workflow }) => (workflow as Json)['slug'] === identifier)).toEqual({
      enabled: true,
      channels: { in_app: false },
      overrides: [override],
      workflow: mine,
    });
    const listed = await dataOf<Json[]>(session.get('/v1/subscribers/ada/preferences'), 200);
    expect(listed[0]).toMatchObject({ template: { _id }, preference: { channels: { in_app: false } } });
    const critical = await dataOf<{ workflows: Json[] }>(session.get(`${path}?criticality=critical`), 200);
    expect(critical.workflows).toHaveLength(1);
    const all = await dataOf<{ workflows: Json[] }>(session.get(`${path}?criticality=all`), 200);
    expect(all.workflows).toHaveLength(2);
  });

  it('should refuse what Herald does not have, and change nothing', async () => {
    const { identifier } = await createWorkflow(session, [inApp('Hi')]);
    const critical = await createWorkflow(session, [inApp('Hi')], { critical: true });
    const before = await dataOf(session.get(`${path}?criticality=all`), 200);
    const channels = { in_app: false };
    const schedule = { isEnabled: false };
    for (const [body, status, code] of [
      [{ channels, context: { tenant: 'acme' } }, 422, 'field_not_served'],
      [{ channels, schedule, workflowId: identifier }, 422, 'field_not_served'],
      [{ channels, workflowId: 'nothing' }, 404, 'workflow_not_found'],
      [{ channels, workflowId: critical.identifier }, 400, 'workflow_is_critical'],
      [{ channels: { in_app: 'no' } }, 400, 'validation_failed'],
      [{ channels: [] }, 400, 'validation_failed'],
    ] as const)
      expect([body, await refusedWith(session.patch(path, body), status)]).toEqual([body, code]);
    const both = [identifier, critical.identifier].map((workflowId) => ({ workflowId, channels }));
    expect(await refusedWith(session.patch(`${path}/bulk`, { preferences: both }), 400)).toBe('workflow_is_critical');
    const known = both.slice(0, 1);
    expect(await refusedWith(session.patch(`${path}/bulk`, { preferences: known, context: {} }), 422)).toBe(
      'field_not_served',
    );
    expect(
      await refusedWith(session.patch(`${path}/bulk`, { preferences: [{ workflowId: 'x', channels }] }), 404),
    ).toBe('workflow_not_found');
    expect(await dataOf(session.get(`${path}?criticality=all`), 200)).toEqual(before);
    for (const suffix of ['', '/bulk'])
      expect(
        await refusedWith(session.patch(`/v2/subscribers/nobody/preferences${suffix}`, { preferences: known }), 404),
      ).toBe('subscriber_not_found');
    expect(await refusedWith(session.get('/v2/subscribers/nobody/preferences'), 404)).toBe('subscriber_not_found');
  });
});

describe('/v2/subscribers/{subscriberId}/notifications', () => {
  it('should be refused for what is not of this subscriber', async () => {
    await session.post('/v1/subscribers/bulk', { subscribers: [{ subscriberId: 'ada' }, { subscriberId: 'bob' }] });
    const { identifier } = await createWorkflow(session, [inApp('Hi')]);
    await session.post('/v1/events/trigger', { name: identifier, to: 'ada', payload: {} }).expect(201);
    const path = (subscriberId: string): string => `/v2/subscribers/${subscriberId}/notifications`;
    const listed = (): Promise<{ id: string }[]> => dataOf(session.get(path('ada')), 200);
    const one = await eventually(async () => {
      const [found] = await listed();
      if (found === undefined) throw new Error('Nothing has arrived yet.');
      return found;
    });
    const { id } = one;
    for (const [owner, code] of [
      ['bob', 'message_not_found'],
      ['nobody', 'subscriber_not_found'],
    ] as const) {
      const snoozeUntil = new Date(Date.now() + 60_000).toISOString();
      for (const change of [
        'read',
        'archive',
        'unsnooze',
        'snooze',
        'actions/primary/complete',
        'actions/primary/revert',
      ])
        expect(await refusedWith(session.patch(`${path(owner)}/${id}/${change}`, { snoozeUntil }), 404)).toBe(code);
      expect(await refusedWith(session.delete(`${path(owner)}/${id}`), 404)).toBe(code);
      expect(await refusedWith(session.get(`${path(owner)}?after=${id}`), 404)).toBe(code);
    }
    for (const change of ['seen', 'read', 'archive', 'read-archive', 'delete']) {
      await session.post(`${path('bob')}/${change}`, { notificationIds: [id] }).expect(204);
      expect(await refusedWith(session.post(`${path('nobody')}/${change}`, {}), 404)).toBe('subscriber_not_found');
    }
    expect(await refusedWith(session.get(`${path('nobody')}/count?filters=[]`), 404)).toBe('subscriber_not_found');
    expect(await listed()).toEqual([one]);
    expect(await refusedWith(session.patch(`${path('ada')}/${id}/actions/primary/complete`), 400)).toBe(
      'button_not_found',
    );
    expect(await faultsOf(session.patch(`${path('ada')}/${id}/opened`))).toEqual([
      'change must be one of the following values: read, unread, archive, unarchive, unsnooze',
    ]);
    expect(await faultsOf(session.patch(`${path('ada')}/x/read`))).toEqual([expect.stringMatching(/^messageId /)]);
  });
});

describe('/v2/topics', () => {
  it('should be the topics of /v1', async () => {
    const made = await dataOf(session.post('/v2/topics', { key: 'orders', data: { region: 'eu' } }), 201);
    expect(await dataOf(session.get('/v1/topics/orders'), 200)).toMatchObject({ _id: made['_id'], subscribers: [] });
    const changed = await dataOf(session.post('/v2/topics', { key: 'orders', name: 'Orders' }), 200);
    expect(changed).toMatchObject({ _id: made['_id'], name: 'Orders', data: { region: 'eu' } });
    expect(await dataOf(session.patch('/v2/topics/orders', { name: null, data: null }), 200)).toEqual({
      _id: made['_id'],
      key: 'orders',
      name: 'Orders',
      createdAt: made['createdAt'],
      updatedAt: expect.any(String),
    });
    expect(await refusedWith(session.post('/v2/topics?failIfExists=true', { key: 'orders' }), 409)).toBe(
      'topic_already_exists',
    );
    await session.post('/v2/topics?failIfExists=true', { key: 'letters' }).expect(201);
    await session.post('/v1/subscribers', { subscriberId: 'ada' }).expect(201);
    await session.post('/v1/topics/orders/subscribers', { subscribers: ['ada'] }).expect(200);
    expect(await dataOf(session.get('/v2/topics/orders/subscriptions/ada'), 200)).toMatchObject({ identifier: 'ada' });
    expect(await dataOf(session.delete('/v2/topics/orders'), 200)).toEqual({ acknowledged: true });
    expect((await session.get('/v2/subscribers/ada/subscriptions').expect(200)).body).toMatchObject({ data: [] });
    for (const [method, path] of [
      ['get', ''],
      ['patch', ''],
      ['delete', ''],
      ['get', '/subscriptions'],
      ['delete', '/subscriptions'],
      ['get', '/subscriptions/ada'],
      ['patch', '/subscriptions/ada'],
    ] as const)
      expect(await refusedWith(session[method](`/v2/topics/orders${path}`, {}), 404)).toBe('topic_not_found');
    expect(await refusedWith(session.get('/v2/subscribers/nobody/subscriptions'), 404)).toBe('subscriber_not_found');
  });

  it('should say what became of each subscriber, also if a request is repeated', async () => {
    await session.post('/v1/subscribers/bulk', { subscribers: [{ subscriberId: 'ada' }, { subscriberId: 'bob' }] });
    const path = '/v2/topics/orders/subscriptions';
    const subscriptions = ['ada', { subscriberId: 'bob', identifier: 'bob' }, { identifier: 'nobody' }];
    const add = () => session.post(path, { subscriberIds: ['ada'], subscriptions }).set('Idempotency-Key', 'one');
    const { body } = await add().expect(201);
    expect(body).toMatchObject({
      data: [{ identifier: 'ada', topic: { key: 'orders' } }, { identifier: 'bob' }],
      meta: { totalCount: 3, successful: 2, failed: 1 },
      errors: [{ subscriberId: 'nobody', code: 'SUBSCRIBER_NOT_FOUND' }],
    });
    const again = await add().expect(201);
    expect([again.headers['idempotency-replay'], again.body]).toEqual(['true', body]);
    const removed = await session.delete(path, { subscriptions: ['ada', 'ada', 'nobody'] }).expect(200);
    expect(removed.body).toMatchObject({
      data: [{ identifier: 'ada' }],
      meta: { totalCount: 2, successful: 1, failed: 1 },
      errors: [{ subscriberId: 'nobody', code: 'SUBSCRIPTION_NOT_FOUND' }],
    });
    expect((await session.get('/v2/subscribers/bob/subscriptions?key=orders').expect(200)).body).toMatchObject({
      totalCount: 1,
    });
    expect((await session.get('/v2/subscribers/bob/subscriptions?key=none').expect(200)).body).toMatchObject({
      totalCount: 0,
    });
    expect(await refusedWith(session.get(`${path}/ada`), 404)).toBe('topic_subscriber_not_found');
    expect(await refusedWith(session.patch(`${path}/ada`, {}), 404)).toBe('topic_subscriber_not_found');
  });

  it('should refuse what Herald does not have', async () => {
    await session.post('/v1/subscribers', { subscriberId: 'ada' }).expect(201);
    const path = '/v2/topics/orders/subscriptions';
    await session.post(path, { subscriptions: ['ada'] }).expect(201);
    const named = [{ subscriberId: 'ada', identifier: 'mine' }];
    const other = [
      session.post(path, { subscriptions: ['ada'], context: { tenant: 'acme' } }),
      session.post(path, { subscriptions: ['ada'], preferences: ['order-shipped'] }),
      session.post(path, { subscriptions: named }),
      session.delete(path, { subscriptions: named }),
      session.patch(`${path}/ada`, { name: 'Mine' }),
      session.patch(`${path}/ada`, { preferences: [{ workflowId: 'a', condition: {} }] }),
      session.get('/v2/topics?name=Orders'),
    ];
    for (const call of other) {
      const { body } = await call.expect(422);
      expect(body).toMatchObject({
        code: 'field_not_served',
        message: expect.stringMatching(/^Herald does not take /),
        errors: { general: { messages: [(body as Json)['message']] } },
      });
    }
    expect(await faultsOf(session.post(path, { subscriberIds: 'ada', subscriptions: [7, {}, ''] }))).toEqual([
      'subscriberIds must be an array of subscriber ids',
      'subscriptions.0 must be a text of 1 to 255 characters',
      'subscriptions.1.subscriberId must be a text of 1 to 255 characters',
      'subscriptions.2 must be a text of 1 to 255 characters',
    ]);
    const many = Array.from({ length: 501 }, (_, at) => `a-${at}`);
    expect(await faultsOf(session.post(path, { subscriptions: many }))).toEqual([
      'subscriptions must contain at most 500 subscriber ids',
    ]);
  });
});
