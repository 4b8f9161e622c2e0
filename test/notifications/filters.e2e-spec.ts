import type { TestSession } from '../harness/index.js';
import { dataOf, faultsOf, type Json } from '../support/answers.js';
import { createWorkflow, delay, email, inApp, notificationOf, trigger } from '../support/delivery.js';
import { useDelivery } from '../support/herald.js';

describe('GET /v1/notifications by state and time', () => {
  const delivery = useDelivery();
  let session: TestSession;
  const ids: Record<string, string> = {};
  const moments: Record<string, string> = {};

  beforeAll(async () => {
    session = await delivery.session();
    const steps = {
      completed: [inApp('x')],
      failed: [email('s', 'x'), inApp('x')],
      canceled: [delay({ amount: 1, unit: 'hours' })],
      active: [delay({ amount: 1, unit: 'hours' })],
    };
    for (const [name, list] of Object.entries(steps)) {
      const { identifier } = await createWorkflow(session, list);
      ids[name] = await trigger(session, { name: identifier, to: 'ann' });
      await delivery.drain();
      moments[name] = delivery.clock.now().toISOString();
      await delivery.clock.advance(1_000);
    }
    await session.delete(`/v1/events/trigger/${ids['canceled']}`).expect(200);
    await delivery.drain();
  });

  const found = async (query: string): Promise<string[]> => {
    return (await dataOf<{ transactionId: string }[]>(session.get(`/v1/notifications?${query}`), 200)).map(
      ({ transactionId }) => Object.entries(ids).find(([, id]) => id === transactionId)?.[0] ?? '?',
    );
  };

  it.each([
    ['status=failed', ['failed']],
    ['status=completed', ['completed']],
    ['status=active', ['active']],
    ['status=pending', ['active']],
    ['status=canceled&status=completed', ['canceled', 'completed']],
    ['status[]=merged', []],
    ['status=&deadLetter=', ['active', 'canceled', 'failed', 'completed']],
  ])('should answer %s', async (query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  it.each(['from', 'after'])('should take %s as the earliest moment', async (name) => {
    expect(await found(`${name}=${moments['canceled']}`)).toEqual(['active', 'canceled']);
    expect(await found(`${name}=2999-01-01`)).toEqual([]);
  });

  it.each(['to', 'before'])('should take %s as the last moment', async (name) => {
    const offset = encodeURIComponent(moments['failed']?.replace('Z', '+00:00') ?? '');
    expect(await found(`${name}=${offset}`)).toEqual(['failed', 'completed']);
  });

  it('should narrow by both ends, and by the state as well', async () => {
    const range = `from=${moments['failed']}&after=${moments['completed']}&to=${moments['canceled']}`;
    expect(await found(range)).toEqual(['canceled', 'failed']);
    expect(await found(`${range}&status=failed`)).toEqual(['failed']);
  });

  it('should find what can be replayed', async () => {
    expect((await notificationOf(session, ids['failed'] ?? '')).status).toBe('failed');
    const filter = { transactionId: ids['failed'], status: 'failed' };
    await delivery.stored('notifications').updateOne(filter, { $set: { 'steps.0.deadLetter': true } });
    expect(await found('deadLetter=true')).toEqual(['failed']);
  });

  it.each<[string, RegExp]>([
    ['status=done', /^status\.0 must be one of the following values: active, completed/],
    ['deadLetter=false', /^deadLetter must be true/],
    ['from=yesterday', /^from must be a date and time in ISO 8601/],
    ['before=2026-13-01', /^before must be a date/],
    ['to=2026-01-01T00:00:00+02:00', /%2B/],
    ['from=2026-01-02&from=2026-01-03', /^from must be a date/],
    ['from=2026-01-02&before=2026-01-01', /^from \(or after\) must not be later than to/],
  ])('should refuse %s', async (query, fault) => {
    expect(await faultsOf(session.get(`/v1/notifications?${query}`))).toEqual([expect.stringMatching(fault)]);
  });

  it('should document the states', async () => {
    const { body } = await session.get('/openapi.json').expect(200);
    const { paths } = body as { paths: Record<string, { get: { parameters: Json[] } }> };
    const status = paths['/v1/notifications']?.get.parameters.find(({ name }) => name === 'status');
    expect(JSON.stringify(status)).toContain('"failed"');
  });
});
