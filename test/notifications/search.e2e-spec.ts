import { unique } from '../factories/ids.js';
import { codeOf, dataOf, faultsOf, pageOf } from '../support/answers.js';
import { createWorkflow, inApp, type SentEvent, trigger } from '../support/delivery.js';
import { useDelivery, useSession } from '../support/herald.js';

interface Found {
  readonly _id: string;
  readonly transactionId: string;
}

describe('GET /v1/notifications?search=', () => {
  const delivery = useDelivery();
  const session = useSession(delivery);
  let welcome: string;
  beforeEach(async () => {
    ({ identifier: welcome } = await createWorkflow(session, [inApp('Hello')], { name: unique('Welcome Aboard') }));
    const { identifier: parcel } = await createWorkflow(session, [inApp('Hello')], { name: unique('Parcel') });
    const ada = { subscriberId: 'ada-1', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };
    await send('order-1', welcome, ada);
    await send('order-2', parcel, ada);
    await send('invoice-1', parcel, { subscriberId: 'order-department' });
  });

  const send = async (transactionId: string, name: string, to: SentEvent['to']): Promise<void> => {
    await trigger(session, { name, to, transactionId });
    await delivery.drain(1_000);
  };
  const found = async (query: string): Promise<string[]> =>
    (await dataOf<Found[]>(session.get(`/v1/notifications?${query}`), 200)).map(({ transactionId }) => transactionId);

  it.each<[string, string, string[]]>([
    ['the beginning of transaction and subscriber ids', 'order-', ['invoice-1', 'order-2', 'order-1']],
    ['a known transaction id, and nothing else', 'order-1', ['order-1']],
    ['the beginning of a subscriber id', 'ada-', ['order-2', 'order-1']],
    ["the beginning of a subscriber's name", 'lovel', ['order-2', 'order-1']],
    ["a subscriber's email address", 'ADA@example.com', ['order-2', 'order-1']],
    ['a part of the name of a workflow', 'aboard', ['order-1']],
    ['nothing', 'nowhere', []],
    ['operators of queries as text', '.*', []],
  ])('should find by %s', async (_what, text, expected) => {
    expect(await found(`search=${encodeURIComponent(text)}`)).toEqual(expected);
  });

  it('should combine what it finds with other filters', async () => {
    expect(await found('search=order-&subscriberIds=ada-1')).toEqual(['order-2', 'order-1']);
    expect(await found('search=order-&transactionId=order-2')).toEqual(['order-2']);
    expect(await found('search=order-&status=failed')).toEqual([]);
    expect(await found('search=order-&status=dead&status=completed')).toHaveLength(3);
  });

  it('should give each notification on exactly one page', async () => {
    const read = (page: number): ReturnType<typeof pageOf<Found>> =>
      pageOf(session.get(`/v1/notifications?search=order-&limit=2&page=${page}`));
    const [first, second, third] = [await read(0), await read(1), await read(2)];
    expect([first.hasMore, second.hasMore, third.hasMore]).toEqual([true, false, false]);
    const ids = [...first.data, ...second.data, ...third.data].map(({ transactionId }) => transactionId);
    expect(ids).toEqual(['invoice-1', 'order-2', 'order-1']);
  });

  it('should find nothing of another environment', async () => {
    const other = await delivery.session();
    expect(await dataOf(other.get('/v1/notifications?search=order-'), 200)).toEqual([]);
    expect(await dataOf(other.get('/v1/notifications?search=order-1'), 200)).toEqual([]);
  });

  it('should refuse pages that lie too far behind, with what to do', async () => {
    await session.get('/v1/notifications?page=999&limit=100').expect(200);
    expect(await faultsOf(session.get('/v1/notifications?page=1000&limit=100'))).toEqual([
      'page must be at most 999 with a limit of 100: this list reaches 100000 notifications. Narrow it, for example with to.',
    ]);
    await session.get('/v1/notifications?search=order-&page=99&limit=100').expect(200);
    expect(await codeOf(session.get('/v1/notifications?search=order-&page=100&limit=100'), 400)).toBe(
      'validation_failed',
    );
  });
});
