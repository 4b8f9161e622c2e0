import { codeOf, dataOf, faultsOf, type Json } from '../support/answers.js';
import { createWorkflow, inApp, trigger } from '../support/delivery.js';
import { useHerald, useSession } from '../support/herald.js';

const herald = useHerald();
const session = useSession(herald);

interface Page {
  readonly records: { readonly kind: string; readonly data: Json }[];
  readonly next?: string;
}
const pageOf = (query = ''): Promise<Page> => dataOf<Page>(session.get(`/v1/subscribers/ada/export${query}`), 200);

describe('GET /v1/subscribers/{subscriberId}/export', () => {
  beforeEach(async () => {
    await session.post('/v1/subscribers', { subscriberId: 'ada', email: 'ada@example.com', data: { plan: 'pro' } });
    await session.post('/v1/topics', { key: 'news', name: 'News' }).expect(201);
    await session.post('/v1/topics/news/subscribers', { subscribers: ['ada'] }).expect(200);
    const { identifier } = await createWorkflow(session, [inApp('Order {{id}}')]);
    for (const id of [1, 2, 3]) await trigger(session, { name: identifier, to: ['ada', 'bob'], payload: { id } });
    await herald.drain();
  });

  it('should give everything that is held, once, whatever the size of the pages', async () => {
    const whole = await pageOf('?limit=500');
    expect(whole.next).toBeUndefined();
    expect(whole.records.map(({ kind }) => kind)).toEqual([
      'subscriber',
      'topic',
      'notification',
      'notification',
      'notification',
      'message',
      'message',
      'message',
    ]);
    expect(whole.records[0]?.data).toMatchObject({ email: 'ada@example.com', data: { plan: 'pro' } });
    // Events of one millisecond have no order.
    const events = whole.records.slice(2, 5).map(({ data }) => (data as { event: { payload: { id: number } } }).event);
    expect(events.map(({ payload }) => payload.id).sort()).toEqual([1, 2, 3]);
    expect(whole.records[2]?.data).toMatchObject({
      event: { to: { subscriberId: 'ada' } },
      details: expect.arrayContaining([expect.objectContaining({ detail: 'Message sent' })]) as unknown[],
    });
    expect(JSON.stringify(whole)).not.toContain('bob');
    for (const limit of [1, 2, 3]) {
      const records: Page['records'] = [];
      let page = await pageOf(`?limit=${limit}`);
      for (records.push(...page.records); page.next !== undefined; records.push(...page.records)) {
        page = await pageOf(`?limit=${limit}&cursor=${page.next}`);
        expect(page.records.length).toBeLessThanOrEqual(limit);
      }
      expect(records).toEqual(whole.records);
    }
  });

  it('should have the messages that are hidden, too', async () => {
    const { records } = await pageOf('?limit=500');
    const id = String(records.at(-1)?.data['_id']);
    await session.delete(`/v1/messages/${id}`).expect(200);
    expect((await pageOf('?limit=500')).records.map(({ data }) => data['_id'])).toContain(id);
  });

  it('should need a key that may do everything', async () => {
    const key = (scopes: string[]): Promise<Json> =>
      dataOf(session.post('/v1/environments/api-keys', { name: scopes.join(), scopes }), 201);
    const { key: reader } = await key(['read', 'write', 'trigger']);
    const call = session.get('/v1/subscribers/ada/export').set('Authorization', `ApiKey ${String(reader)}`);
    expect(await codeOf(call, 403)).toBe('scope_missing');
  });

  it('should refuse an unknown subscriber, those of others, and a cursor that is none', async () => {
    expect(await codeOf(session.get('/v1/subscribers/none/export'), 404)).toBe('subscriber_not_found');
    const other = await herald.session();
    expect(await codeOf(other.get('/v1/subscribers/ada/export'), 404)).toBe('subscriber_not_found');
    for (const cursor of ['x', 'MS54', 'OTk5OTk5']) {
      expect(await faultsOf(session.get(`/v1/subscribers/ada/export?cursor=${cursor}`))).toEqual([
        'cursor must be the next of an earlier page',
      ]);
    }
    for (const limit of ['0', '501', 'x']) await session.get(`/v1/subscribers/ada/export?limit=${limit}`).expect(400);
  });
});
