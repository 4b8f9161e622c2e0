import type { TestSession } from '../harness/index.js';
import { createWorkflow, feedOf, inApp, trigger } from '../support/delivery.js';
import { useHerald } from '../support/herald.js';

const herald = useHerald();
let session: TestSession;
let name: string;

beforeAll(async () => {
  session = await herald.session();
  ({ identifier: name } = await createWorkflow(session, [inApp('x')]));
});

const keys = (count: number): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));
const list = (count: number): unknown[] => Array.from({ length: count }, () => 1);
const KEYS = 'has an object of more than 10000 keys. Use a list for so many values';
const VALUES = 'has more than 50000 keys and entries. Send fewer';

describe('large records', () => {
  it.each([
    ['payload', { payload: { x: keys(10_001) } }, `payload ${KEYS}`],
    ['payload', { payload: keys(10_001) }, `payload ${KEYS}`],
    ['payload', { payload: { a: list(25_000), b: list(25_000) } }, `payload ${VALUES}`],
    ['overrides', { overrides: { email: keys(10_001) } }, `overrides ${KEYS}`],
    ['data of a recipient', { to: [{ subscriberId: 'a', data: keys(10_001) }] }, `to.0.data ${KEYS}`],
    ['data of the actor', { actor: { subscriberId: 'a', data: { x: list(50_000) } } }, `actor.data ${VALUES}`],
    ['data of the tenant', { tenant: { identifier: 'a', data: { x: list(50_000) } } }, `tenant.data ${VALUES}`],
  ])('should refuse masses of values in the %s of a trigger', async (_place, part, fault) => {
    const { body } = await session.post('/v1/events/trigger', { name, to: 'somebody', ...part }).expect(400);
    expect(body).toMatchObject({ message: expect.arrayContaining([fault]) as unknown });
  });

  it('should refuse masses of values in the data of a subscriber', async () => {
    const { body } = await session
      .post('/v1/subscribers', { subscriberId: 'masses', data: { x: list(50_000) } })
      .expect(400);
    expect(body).toMatchObject({ message: expect.arrayContaining([`data ${VALUES}`]) as unknown });
  });

  it('should deliver a payload of as many values as there may be to all recipients, and list it', async () => {
    const payload = { rows: list(39_000), keys: keys(10_000) };
    const to = Array.from({ length: 5 }, (_, index) => `large-${index}`);
    const transactionId = await trigger(session, { name, to, payload });
    await herald.drain();
    for (const subscriberId of to) expect(await feedOf(session, subscriberId)).toHaveLength(1);
    const { body } = await session.get(`/v1/notifications?transactionId=${transactionId}`).expect(200);
    const { data, ...counters } = body as { data: { payload: unknown }[] };
    expect(counters).toEqual({ page: 0, pageSize: 10, hasMore: false });
    expect(data.map((one) => one.payload)).toEqual(to.map(() => payload));
  });

  it('should answer a page as JSON', async () => {
    const { headers } = await session.get('/v1/notifications').expect(200);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  });
});
