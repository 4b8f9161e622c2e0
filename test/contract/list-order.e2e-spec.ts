import { ObjectId } from 'bson';
import type { TestSession } from '../harness/index.js';
import { discordFactory } from '../factories/integration.factory.js';
import { unique } from '../factories/ids.js';
import { createLayout } from '../factories/layout.factory.js';
import { createImage } from '../factories/image.factory.js';
import { createSegment } from '../factories/segment.factory.js';
import { createTenant } from '../factories/tenant.factory.js';
import { createWorkflow } from '../factories/workflow.factory.js';
import { dataOf, type Json } from '../support/answers.js';
import { useHerald } from '../support/herald.js';

const api = useHerald();

const posts =
  (path: string, body: () => Json) =>
  (session: TestSession): Promise<Json> =>
    dataOf(session.post(path, body()), 201);

async function createOverride(session: TestSession): Promise<Json> {
  const [workflow, tenant] = [await createWorkflow(session), await createTenant(session)];
  const body = { workflowId: workflow['_id'], tenantId: tenant['_id'] };
  return dataOf(session.post('/v1/workflow-overrides', body), 200);
}

const webhook = (): Json => ({ url: 'https://example.com/hook', events: ['message.sent'] });

type Row = [path: string, collection: string, create: (session: TestSession) => Promise<Json>];

const NEWEST_FIRST: Row[] = [
  ['/v1/subscribers', 'subscribers', posts('/v1/subscribers', () => ({ subscriberId: unique('ann') }))],
  ['/v1/tenants', 'tenants', createTenant],
  ['/v1/segments', 'segments', createSegment],
  ['/v1/workflows', 'workflows', createWorkflow],
  ['/v1/workflow-overrides', 'workflowOverrides', createOverride],
  ['/v1/layouts', 'layouts', createLayout],
  ['/v1/images', 'images', createImage],
  ['/v1/integrations', 'integrations', posts('/v1/integrations', () => discordFactory())],
  ['/v1/webhooks', 'webhookEndpoints', posts('/v1/webhooks', webhook)],
];
const OLDEST_FIRST: Row[] = [
  ['/v1/feeds', 'feeds', posts('/v1/feeds', () => ({ name: unique('feed') }))],
  ['/v1/topics', 'topics', posts('/v1/topics', () => ({ key: unique('topic'), name: 'Watchers' }))],
  [
    '/v1/notification-groups',
    'notificationGroups',
    posts('/v1/notification-groups', () => ({ name: unique('group') })),
  ],
];

/**
 * Gives the records of an environment ids as several processes would have made them within one second: they say the
 * opposite of the time of creation.
 */
async function giveIdsOfSeveralProcesses(collection: string, { environmentId }: TestSession): Promise<void> {
  const records = api.stored(collection);
  const own = { _environmentId: new ObjectId(environmentId) };
  const rows = await records.find(own, { sort: { createdAt: 1, _id: 1 } });
  const second = Math.floor(Date.now() / 1_000);
  const moved = rows.map((row, index) => {
    const rest = (rows.length - index).toString(16).padStart(16, '0');
    const _id = new ObjectId(second.toString(16) + rest);
    return { ...row, _id, createdAt: new Date(second * 1_000 + index) };
  });
  await records.deleteMany(own);
  await records.insertMany(moved);
}

async function timesOf(path: string, session: TestSession): Promise<unknown[]> {
  return (await dataOf<Json[]>(session.get(path), 200)).map(({ createdAt }) => createdAt);
}

describe('lists of records that several processes made in one second', () => {
  it.each(NEWEST_FIRST)('should show those of %s newest first', async (path, collection, create) => {
    const session = await api.session();
    for (let count = 0; count < 3; count++) await create(session);
    await giveIdsOfSeveralProcesses(collection, session);
    const times = await timesOf(path, session);
    expect(times.length).toBeGreaterThanOrEqual(3);
    expect(times).toEqual([...times].sort().reverse());
  });

  it.each(OLDEST_FIRST)('should show those of %s oldest first', async (path, collection, create) => {
    const session = await api.session();
    for (let count = 0; count < 3; count++) await create(session);
    await giveIdsOfSeveralProcesses(collection, session);
    const times = await timesOf(path, session);
    expect(times.length).toBeGreaterThanOrEqual(3);
    expect(times).toEqual([...times].sort());
  });
});
