import type { TestSession } from '../harness/index.js';
import { type AllChannels, startAllChannels } from '../support/all-channels.js';
import { AnswerSchemas } from '../support/answer-schema.js';
import { dataOf, type Json } from '../support/answers.js';
import { createWorkflow, trigger } from '../support/delivery.js';
import { useDelivery } from '../support/herald.js';
import { readDocument } from '../support/routes.js';
import { triedRequests } from '../support/try-it-out.js';

const document = readDocument();
const schemas = new AnswerSchemas(document);

const delivery = useDelivery();
let channels: AllChannels;
beforeAll(async () => {
  channels = await startAllChannels();
});
afterAll(() => channels.close());

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Sends a request; answers with what the document does not say of the answer. */
async function faultsOf(session: TestSession, method: Method, url: string, body?: object): Promise<string[]> {
  const { status, body: answer } = await session[method](url, body);
  return schemas.faults(method, url, status, answer);
}

describe('answers', () => {
  it.each([
    ['in the order of the document', triedRequests(document)],
    ['in reverse', triedRequests(document).toReversed()],
  ])('should be what the document says, with its examples %s', async (_order, requests) => {
    const session = await delivery.session();
    const faults: string[] = [];
    for (const { method, url, body } of requests)
      faults.push(...(await faultsOf(session, method, url, body as object)));
    await delivery.drain();
    for (const { method, url } of requests.filter((request) => request.method === 'get')) {
      faults.push(...(await faultsOf(session, method, url)));
    }
    expect(faults).toEqual([]);
  });

  it('should be what the document says where a workflow has everything, and messages went out on every channel', async () => {
    const session = await delivery.session();
    await channels.integrate(session);
    const workflow = await createWorkflow(session, RICH_STEPS, {
      tags: ['orders'],
      data: { 'a.b': [1] },
      description: 'All',
    });
    const plain = await createWorkflow(session, channels.steps, { preferenceSettings: { chat: true } });
    await session.post('/v1/tenants', { identifier: 'acme', name: 'Acme', data: { plan: 'gold' } }).expect(201);
    const pair = { workflowId: plain.identifier, tenantId: 'acme', preferenceSettings: { email: true } };
    const override = await dataOf(session.post('/v1/workflow-overrides', pair), 200);
    const transactionId = await trigger(session, {
      name: plain.identifier,
      to: channels.recipient('ada'),
      tenant: 'acme',
      actor: { subscriberId: 'grace', firstName: 'Grace' },
      payload: { order: 4711 },
      overrides: { email: { subject: 'Another' }, 'generic-sms': { anything: 1 } },
    });
    await trigger(session, {
      name: workflow.identifier,
      to: 'ada',
      payload: { customer: { id: 1 }, order: { total: 99 } },
    });
    await delivery.drain(600_000);
    const messages = await dataOf<Json[]>(session.get('/v1/messages?limit=100'), 200);
    expect(new Set(messages.map(({ channel }) => channel)).size).toBe(5);
    const act = messages.map(({ _id }) => `/v1/subscribers/ada/messages/${String(_id)}/actions/primary`);
    const answers = await Promise.all([
      ...act.map((url) => faultsOf(session, 'post', url, { status: 'done', payload: { 'a.b': {} } })),
      ...[
        `/v1/workflows/${workflow._id}`,
        '/v1/workflows',
        `/v1/notifications?transactionId=${transactionId}`,
        `/v1/notifications/${String(messages[0]?.['_notificationId'])}`,
        `/v1/execution-details?subscriberId=ada&notificationId=${String(messages[0]?.['_notificationId'])}`,
        '/v1/subscribers/ada',
        '/v1/subscribers/ada/preferences',
        '/v1/subscribers/ada/notifications/feed',
        '/v1/integrations',
        `/v1/workflow-overrides/${String(override['_id'])}`,
        '/v1/messages',
      ].map((url) => faultsOf(session, 'get', url)),
    ]);
    expect(answers.flat()).toEqual([]);
    expect(answers.length).toBeGreaterThan(15);
    await session.delete(`/v1/workflows/${plain._id}`).expect(200);
    expect(await faultsOf(session, 'post', act[0] ?? '', { status: 'pending' })).toEqual([]);
  });

  it('should be found out where they differ: a field too many, one too few, another type', () => {
    const answer = (data: Json): string[] => schemas.faults('get', '/v1/feeds', 200, { data: [data] });
    const feed = {
      _id: '1',
      id: '1',
      name: 'a',
      identifier: 'a',
      _environmentId: '1',
      _organizationId: '1',
      deleted: false,
      createdAt: '',
      updatedAt: '',
      __v: 0,
    };
    expect(answer(feed)).toEqual([]);
    expect(answer({ ...feed, surplus: 1 })).toEqual([expect.stringContaining('unevaluated properties surplus')]);
    expect(answer({ ...feed, __v: 0.5 })).toEqual([expect.stringContaining('/data/0/__v must be integer')]);
    const { name: _name, ...nameless } = feed;
    expect(answer(nameless)).toEqual(expect.arrayContaining([expect.stringContaining("required property 'name'")]));
  });
});

const CONDITION = { on: 'payload', field: 'order.total', operator: 'LARGER', value: '1' };
const FILTERS = [{ isNegated: false, type: 'BOOLEAN', value: 'AND', children: [CONDITION] }];
/** Steps with all that a step can have. */
const RICH_STEPS = [
  {
    name: 'Collect',
    template: { type: 'digest' },
    metadata: {
      type: 'regular',
      amount: 5,
      unit: 'minutes',
      digestKey: 'customer.id',
      backoff: true,
      backoffAmount: 1,
      backoffUnit: 'seconds',
      updateMode: true,
    },
  },
  {
    name: 'Weekly',
    active: false,
    template: { type: 'digest' },
    metadata: { type: 'timed', amount: 1, unit: 'weeks', timed: { atTime: '09:00', weekDays: ['monday'] } },
  },
  {
    name: 'Tell',
    stepId: 'tell',
    shouldStopOnFail: true,
    template: {
      type: 'in_app',
      content: 'Order {{order.total}}',
      title: 'Order',
      subject: 'Order',
      ownKey: { free: [1] },
      variables: [{ name: 'order.total', type: 'String', required: false, defaultValue: '1' }],
      actor: { type: 'system_icon', data: 'info' },
      cta: {
        type: 'redirect',
        data: { url: '/orders', target: '_self' },
        action: { buttons: [{ type: 'primary', content: 'Ok', resultContent: 'Done', url: '/x' }] },
      },
    },
    filters: FILTERS,
    replyCallback: { active: true, url: 'https://example.com/replies' },
    variants: [{ name: 'Other', template: { type: 'in_app', content: 'Large order' }, filters: FILTERS }],
  },
  {
    name: 'Mail',
    template: {
      type: 'email',
      subject: 'Order',
      preheader: 'Order',
      senderName: 'Shop',
      contentType: 'editor',
      content: [
        { type: 'text', content: 'Order', styles: { textAlign: 'center' } },
        { type: 'button', content: 'Open', url: 'https://example.com' },
      ],
    },
  },
];
