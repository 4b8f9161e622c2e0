import type { TenantContext } from '#libs/common';
import { createSubscribers } from '../../../test/factories/topic.factory.js';
import { tenantOf } from '../../../test/support/service-tenant.js';
import { useSession, useTestApi } from '../../../test/support/test-api.js';
import { type MemberBatch, TopicsService } from './topics.service.js';

const api = useTestApi();
let topics: TopicsService;
const session = useSession(api);
let tenant: TenantContext;

beforeAll(() => {
  topics = api.app.get(TopicsService);
});
beforeEach(() => {
  tenant = tenantOf(session);
});

const idsOf = (batches: readonly MemberBatch[]): string[] =>
  batches.flatMap(({ members }) => members.map(({ subscriberId }) => subscriberId));

describe('streamMembers', () => {
  async function collect(keys: string[], batch: number, after?: string): Promise<MemberBatch[]> {
    const batches: MemberBatch[] = [];
    for await (const each of topics.streamMembers(tenant, keys, { after, batch })) batches.push(each);
    return batches;
  }

  it('should give every member of every topic in batches', async () => {
    const ids = await createSubscribers(session, 7);
    await topics.addSubscribers(tenant, 'a', ids.slice(0, 5));
    await topics.addSubscribers(tenant, 'b', ids.slice(3));
    const batches = await collect(['a', 'b', 'unknown', 'a'], 2);
    expect(batches.map(({ members }) => members.length)).toEqual([2, 2, 1, 2, 2]);
    expect(idsOf(batches).sort()).toEqual([...ids.slice(0, 5), ...ids.slice(3)].sort());
  });

  it('should go on after any checkpoint without a gap or a repeat', async () => {
    const ids = await createSubscribers(session, 6);
    await topics.addSubscribers(tenant, 'a', ids);
    await topics.addSubscribers(tenant, 'b', ids);
    const all = await collect(['a', 'b'], 4);
    for (const [index, { checkpoint }] of all.entries()) {
      expect(idsOf(await collect(['b', 'a'], 4, checkpoint))).toEqual(idsOf(all.slice(index + 1)));
    }
  });

  it('should give nothing for an empty topic, no topic, and topics of others', async () => {
    await topics.addSubscribers(tenant, 'empty', ['nobody']);
    const other = await api.session();
    const ids = await createSubscribers(other, 1);
    await other.post('/v1/topics/theirs/subscribers', { subscribers: ids }).expect(200);
    expect(await collect(['empty', 'theirs'], 10)).toEqual([]);
    expect(await collect([], 10)).toEqual([]);
  });
});

describe('findExistingKeys', () => {
  it('should name those that are topics of the environment', async () => {
    await topics.create(tenant, { key: 'here', name: 'Here' });
    expect(await topics.findExistingKeys(tenant, ['here', 'not'])).toEqual(new Set(['here']));
  });
});
