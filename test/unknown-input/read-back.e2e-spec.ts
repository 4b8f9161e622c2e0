import type { TestSession } from '../harness/index.js';
import { generalGroupId, stepFactory } from '../factories/workflow.factory.js';
import { dataOf, type Json, warningIn } from '../support/answers.js';
import { useTestApi } from '../support/test-api.js';

/** What a change of the record itself sets anew. */
const STAMPS = new Set(['updatedAt', '__v']);
const withoutStamps = (record: unknown): unknown =>
  JSON.parse(JSON.stringify(record, (key, value: unknown) => (STAMPS.has(key) ? undefined : value)));

const CONDITIONS = [{ children: [{ on: 'payload', field: 'total', operator: 'LARGER', value: '1' }] }];

describe.each([
  ['as usual', {}],
  ['with STRICT_INPUT', { STRICT_INPUT: '1' }],
])('what was read, sent back %s', (_case, settings) => {
  const api = useTestApi(settings);
  let session: TestSession;
  let workflowId: string;
  beforeAll(async () => {
    session = await api.session();
    ({ _id: workflowId } = await createRichWorkflow(session));
  });

  const sendBack = async (url: string, method: 'put' | 'patch'): Promise<void> => {
    const read = await dataOf<Json>(session.get(url), 200);
    const answer = await session[method](url, read).expect(200);
    expect(warningIn(answer)).toBeUndefined();
    expect(withoutStamps(dataOf(await session.get(url).expect(200)))).toEqual(withoutStamps(read));
  };

  it.each(['workflows', 'notification-templates'])('should change nothing of a workflow under %s', async (path) => {
    await sendBack(`/v1/${path}/${workflowId}`, 'put');
  });

  it('should change nothing of a subscriber, a group, a tenant, a layout, an override, a topic and a webhook', async () => {
    await session
      .post('/v1/subscribers', { subscriberId: 'ada', email: 'a@example.com', data: { a: [1] } })
      .expect(201);
    const tenant = { identifier: 'acme', name: 'Acme', data: { plan: 1 }, publicUrl: 'https://acme.example' };
    await session.post('/v1/tenants', tenant).expect(201);
    const group = { name: 'Billing', description: 'Invoices', order: 1 };
    const { _id: groupId } = await dataOf<{ _id: string }>(session.post('/v1/notification-groups', group), 201);
    await session.post('/v1/topics', { key: 'all', name: 'All' }).expect(201);
    const layout = { name: 'Plain', identifier: 'plain', content: '{{{body}}}', variables: [] };
    const { _id: layoutId } = await dataOf<{ _id: string }>(session.post('/v1/layouts', layout), 201);
    const pair = { workflowId, tenantId: 'acme', active: false, preferenceSettings: { email: true } };
    const { _id: overrideId } = await dataOf<{ _id: string }>(session.post('/v1/workflow-overrides', pair), 200);
    const webhook = { url: 'https://example.com/told', events: ['message.sent'] };
    const { _id: webhookId } = await dataOf<{ _id: string }>(session.post('/v1/webhooks', webhook), 201);
    await sendBack('/v1/subscribers/ada', 'put');
    await sendBack(`/v1/notification-groups/${groupId}`, 'patch');
    await sendBack('/v1/tenants/acme', 'patch');
    await sendBack(`/v1/layouts/${layoutId}`, 'patch');
    await sendBack(`/v1/workflow-overrides/${overrideId}`, 'put');
    await sendBack(`/v1/workflow-overrides/workflows/${workflowId}/tenants/acme`, 'put');
    await sendBack('/v1/topics/all', 'patch');
    await sendBack(`/v1/webhooks/${webhookId}`, 'patch');
  });

  it('should change nothing of an integration', async () => {
    const credentials = {
      host: 'smtp.example.com',
      port: '587',
      from: 'a@example.com',
      senderName: 'Shop',
      secure: false,
    };
    const smtp = { providerId: 'nodemailer', channel: 'email', credentials, active: true };
    const conditions = [{ children: [{ on: 'tenant', field: 'identifier', operator: 'EQUAL', value: 'acme' }] }];
    const { _id } = await dataOf<{ _id: string }>(session.post('/v1/integrations', { ...smtp, conditions }), 201);
    const find = async (): Promise<Json | undefined> =>
      (await dataOf<Json[]>(session.get('/v1/integrations'), 200)).find((one) => one['_id'] === _id);
    const read = await find();
    const answer = await session.put(`/v1/integrations/${_id}`, read ?? {}).expect(200);
    expect(warningIn(answer)).toBeUndefined();
    expect(withoutStamps(await find())).toEqual(withoutStamps(read));
  });

  it.each(['workflows', 'notification-templates'])(
    'should name active and draft where an update under %s would have to change them, and leave them',
    async (path) => {
      const update = { name: 'Switched', active: false, draft: true };
      const answer = await session.put(`/v1/${path}/${workflowId}`, update).expect(200);
      expect(warningIn(answer)).toBe(
        'body fields that this request does not change: active, draft. Use PUT /v1/workflows/{workflowId}/status',
      );
      expect(dataOf(answer)).toMatchObject({ name: 'Switched', active: true, draft: false });
      const same = await session
        .put(`/v1/${path}/${workflowId}`, { name: 'Order', active: true, draft: false })
        .expect(200);
      expect(warningIn(same)).toBeUndefined();
    },
  );
});

async function createRichWorkflow(session: TestSession): Promise<{ _id: string }> {
  const { _id: feedId } = await dataOf<{ _id: string }>(session.post('/v1/feeds', { name: 'Orders' }), 201);
  const layout = { name: 'Company', content: '<b>{{{body}}}</b>' };
  const { _id: layoutId } = await dataOf<{ _id: string }>(session.post('/v1/layouts', layout), 201);
  const inApp = { type: 'in_app', content: 'Order', feedId, ownKey: { free: [1] } };
  const button = { type: 'primary', content: 'Ok', resultContent: 'Done' };
  const steps = [
    { template: { type: 'digest' }, metadata: { type: 'regular', amount: 5, unit: 'minutes', digestKey: 'id' } },
    {
      name: 'Tell',
      template: { ...inApp, cta: { type: 'redirect', data: { url: '/x' }, action: { buttons: [button] } } },
      filters: CONDITIONS,
      variants: [{ template: { type: 'in_app', content: 'Large' }, filters: CONDITIONS }],
    },
    { template: { type: 'email', subject: 'S', content: '<p>x</p>', contentType: 'customHtml', layoutId } },
    stepFactory(),
  ];
  return dataOf<{ _id: string }>(
    session.post('/v1/workflows', {
      name: 'Order shipped',
      notificationGroupId: await generalGroupId(session),
      active: true,
      hidden: true,
      tags: ['orders'],
      data: { a: 1 },
      preferenceSettings: { email: false },
      steps,
    }),
    201,
  );
}
