import { TestSession } from '../harness/index.js';
import { RUNS_COMPARED } from '../../src/engine/previews/index.js';
import { dataOf, faultsOf, type Json } from '../support/answers.js';
import { createWorkflow, email, inApp, smtpIntegration, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { useProviderSink } from '../support/provider-sink.js';
import { useSession } from '../support/test-api.js';

const NOBODY = 9;
const DAY_MS = 86_400_000;
const HELLO = 'Hello {{subscriber.firstName}}';

const delivery = useDeliveryApi('impact');
const session = useSession(delivery.api);

interface Impact extends Json {
  total: number;
  sample: number;
  lookedAt: number;
  notCompared: number;
  changes: { notificationId: string; subscriberId: string; before: Json; after: Json }[];
  next?: string;
}

function impactOf(workflowId: string, body: Json, { by = session, query = '' } = {}): Promise<Impact> {
  return dataOf<Impact>(by.post(`/v1/workflows/${workflowId}/impact${query}`, body), 200);
}

const peopleIn = (...answers: Impact[]): string[] =>
  answers.flatMap(({ changes }) => changes.map(({ subscriberId }) => subscriberId)).sort();

const whenTotal = (operator: string, value: string): Json[] => [
  { isNegated: false, type: 'GROUP', value: 'AND', children: [{ on: 'payload', field: 'total', operator, value }] },
];

/** Three people with orders of 10, 20 and 30. */
async function ordersOf(identifier: string): Promise<void> {
  for (const [at, subscriberId] of ['ada', 'grace', 'mary'].entries()) {
    const to = { subscriberId, firstName: subscriberId, email: `${subscriberId}@example.com` };
    await trigger(session, { name: identifier, to, payload: { total: (at + 1) * 10 } });
  }
  await delivery.drain();
}

/** Everything that is stored, but for what the reading of API keys notes, and the figures of deliveries, which are written later. */
async function everythingStored(): Promise<string> {
  const names = (await delivery.collections()).filter((name) => !['apiKeys', 'deliveryBuckets'].includes(name));
  return JSON.stringify(await Promise.all(names.map(async (name) => [name, await delivery.rows(name)])));
}

describe('POST /v1/workflows/:workflowId/impact', () => {
  const sink = useProviderSink();

  it('should take a workflow as an editor sends it: with all that it has', async () => {
    const { _id, identifier } = await createWorkflow(session, [inApp(HELLO)]);
    await ordersOf(identifier);
    const read = await dataOf<Json>(session.get(`/v1/workflows/${_id}`), 200);
    const fields = ['name', 'description', 'tags', 'critical', 'preferenceSettings', 'steps', 'hidden'];
    const body = Object.fromEntries(fields.map((field) => [field, read[field] ?? null]));
    const impact = await impactOf(_id, { ...body, notificationGroupId: read['_notificationGroupId'] });
    expect(impact).toMatchObject({ total: 3, changes: [] });
  });

  it('should tell who would get another result, and store, send and change nothing', async () => {
    await smtpIntegration(session, NOBODY);
    const { _id, identifier } = await createWorkflow(session, [inApp(HELLO)]);
    await ordersOf(identifier);
    const before = await everythingStored();
    const steps = [inApp(HELLO), email('Large order', '<p>{{total}}</p>', {}, { filters: whenTotal('LARGER', '15') })];
    const impact = await impactOf(_id, { steps });
    expect(impact).toMatchObject({ total: 3, sample: 3, lookedAt: 3, notCompared: 0, otherTexts: 0, otherTimes: 0 });
    expect(impact.next).toBeUndefined();
    expect(peopleIn(impact)).toEqual(['grace', 'mary']);
    expect(impact.changes[0]).toMatchObject({
      before: { channels: ['in_app'], unsent: [], joinsDigest: false, missing: [] },
      after: { channels: ['in_app', 'email'] },
    });
    expect(await everythingStored()).toBe(before);
    await session.get(`/v1/notifications/${impact.changes[0]?.notificationId}`).expect(200);
    await session.post(`/v1/workflows/${identifier}/impact`, { steps }).expect(400);
    expect(await impactOf(_id, { description: null, tags: null, note: null })).toMatchObject({
      lookedAt: 3,
      changes: [],
    });
  });

  it('should tell other texts, reasons and times apart from other results', async () => {
    const filters = whenTotal('LARGER', '15');
    const { _id, identifier, steps } = await createWorkflow(session, [inApp(HELLO), inApp('Large', { filters })]);
    await ordersOf(identifier);
    const [first, second] = steps;
    const keep = { uuid: first?.uuid };
    const large = inApp('Large', { uuid: second?.uuid, filters });
    expect(await impactOf(_id, { steps: [inApp(`${HELLO}!`, keep), large] })).toMatchObject({
      changes: [],
      otherTexts: 3,
      otherReasons: 0,
      otherTimes: 0,
    });
    const later = { template: { type: 'delay' }, metadata: { type: 'regular', amount: 2, unit: 'hours' } };
    expect(await impactOf(_id, { steps: [later, inApp(HELLO, keep), large] })).toMatchObject({
      changes: [],
      otherTexts: 0,
      otherTimes: 3,
    });
    const nobody = { ...large, filters: whenTotal('LARGER', '1000') };
    const stopped = await impactOf(_id, { steps: [inApp(HELLO, keep), nobody] });
    expect(peopleIn(stopped)).toEqual(['grace', 'mary']);
    expect(stopped.changes[0]?.after).toMatchObject({
      channels: ['in_app'],
      unsent: [{ type: 'in_app', reason: 'conditions', title: 'A step condition was not met' }],
    });
  });

  it('should judge with what is known now, and say when an event would be refused', async () => {
    const { _id, identifier } = await createWorkflow(session, [inApp(HELLO)]);
    await ordersOf(identifier);
    const channel = { type: 'in_app', enabled: false };
    await session.patch(`/v1/subscribers/ada/preferences/${_id}`, { channel }).expect(200);
    const plan = { name: 'plan', type: 'String', required: true };
    const template = { type: 'in_app', content: 'Plan {{plan}}', variables: [plan] };
    const { changes } = await impactOf(_id, { steps: [{ template }] });
    const ada = changes.find(({ subscriberId }) => subscriberId === 'ada');
    expect(ada).toMatchObject({
      before: { channels: [], unsent: [{ reason: 'preferences' }], missing: [] },
      after: { channels: [], missing: ['plan (Value)'] },
    });
  });

  it('should ask no webhook, and count what depends on its answer', async () => {
    const { _id, identifier } = await createWorkflow(session, [inApp(HELLO)]);
    await ordersOf(identifier);
    const asked = { on: 'webhook', webhookUrl: sink.url, field: 'allowed', operator: 'EQUAL', value: 'true' };
    const filters = [{ isNegated: false, type: 'GROUP', value: 'AND', children: [asked] }];
    expect(await impactOf(_id, { steps: [inApp(HELLO, { filters })] })).toMatchObject({
      lookedAt: 3,
      notCompared: 3,
      changes: [],
    });
    expect(sink.requests).toHaveLength(0);
  });

  it('should go on with older notifications', async () => {
    const { _id, identifier } = await createWorkflow(session, [inApp(HELLO)]);
    await ordersOf(identifier);
    const body = { steps: [inApp(HELLO), inApp('More')] };
    const first = await impactOf(_id, body, { query: '?limit=2' });
    expect(first).toMatchObject({ total: 3, lookedAt: 2, next: expect.any(String) });
    const rest = await impactOf(_id, body, { query: `?limit=2&cursor=${first.next}` });
    expect(rest).toMatchObject({ total: 3, lookedAt: 1 });
    expect(rest.next).toBeUndefined();
    expect(peopleIn(first, rest)).toEqual(['ada', 'grace', 'mary']);
  });

  it('should look at each third one of 6,000 and say so', async () => {
    const { _id, identifier } = await createWorkflow(session, [inApp(HELLO)]);
    for (let round = 0; round < 2; round++) await ordersOf(identifier);
    const body = { steps: [inApp(HELLO), inApp('More')] };
    const { next = '' } = await impactOf(_id, body, { query: '?limit=1' });
    // The number that the first answer found is part of its cursor.
    const cursor = next.replace(/^6\./, '6000.');
    const rest = await impactOf(_id, body, { query: `?limit=1&cursor=${cursor}` });
    expect(rest).toMatchObject({ total: 6_000, sample: 2_000, lookedAt: 1, next: expect.any(String) });
    expect(rest.changes).toHaveLength(1);
    const last = await impactOf(_id, body, { query: `?limit=5&cursor=${rest.next}` });
    expect(last).toMatchObject({ total: 6_000, lookedAt: 1 });
    expect(last.next).toBeUndefined();
  });

  it('should refuse what cannot be saved, cursors that are none, and workflows of other environments', async () => {
    const { _id } = await createWorkflow(session, [inApp(HELLO)]);
    const path = `/v1/workflows/${_id}/impact`;
    const steps = [inApp(HELLO)];
    expect(faultsOf(await session.post(path, { steps: [inApp('{{#if a}}')] }).expect(400))).toHaveLength(1);
    await session.post(path, {}).expect(400);
    for (const cursor of ['x', '3.x', '999999.W10'])
      expect(faultsOf(await session.post(`${path}?cursor=${cursor}`, { steps }).expect(400))).toEqual([
        "cursor must be the 'next' of the answer before",
      ]);
    await session.post(`${path}?limit=201`, { steps }).expect(400);
    const [development, production] = await delivery.api.siblings();
    const own = await createWorkflow(development, [inApp(HELLO)]);
    await development.post(`/v1/workflows/${own._id}/impact`, { steps }).expect(200);
    await production.post(`/v1/workflows/${own._id}/impact`, { steps }).expect(404);
    await session.post(`/v1/workflows/${own._id}/impact`, { steps }).expect(404);
  });

  it('should do one at a time in an environment, and not wait for it elsewhere', async () => {
    const { _id, identifier } = await createWorkflow(session, [inApp(HELLO)]);
    await ordersOf(identifier);
    const path = `/v1/workflows/${_id}/impact`;
    const body = { steps: [inApp('Changed')] };
    const other: TestSession = await delivery.api.session();
    const elsewhere = await createWorkflow(other, [inApp(HELLO)]);
    const waiting: Promise<{ status: number; body: unknown }>[] = [];
    let first: unknown;
    RUNS_COMPARED.armOnce(async () => {
      waiting.push(...[1, 2].map(async () => session.post(path, body)));
      await other.post(`/v1/workflows/${elsewhere._id}/impact`, body).expect(200);
      first = (await Promise.race(waiting)).body;
    });
    await session.post(path, body).expect(200);
    expect(first).toMatchObject({ code: 'impact_busy' });
    expect((await Promise.all(waiting)).map(({ status }) => status).sort()).toEqual([200, 429]);
  });

  it('should leave out notifications of more than seven days ago', async () => {
    const { _id, identifier } = await createWorkflow(session, [inApp(HELLO)]);
    await ordersOf(identifier);
    const body = { steps: [inApp('Changed')] };
    expect(await impactOf(_id, body)).toMatchObject({ total: 3, otherTexts: 3 });
    delivery.clock.advance(8 * DAY_MS);
    expect(await impactOf(_id, body)).toMatchObject({ total: 0, sample: 0, lookedAt: 0 });
  });
});
