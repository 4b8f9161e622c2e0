import { dataOf, type Json, pageOf, type ShownPage } from '../support/answers.js';
import { createWorkflow, email, inApp, trigger } from '../support/delivery.js';
import { useDelivery, useSession } from '../support/herald.js';

/** Replays what the compatible system's own tests expect of notifications and their execution details. */
describe('compatibility: notifications', () => {
  const delivery = useDelivery();
  const session = useSession(delivery);
  let hello: string;
  let helloId: string;
  beforeEach(async () => {
    ({ identifier: hello, _id: helloId } = await createWorkflow(session, [inApp('Hello {{firstName}}')]));
  });
  beforeEach(async () => {
    for (const [transactionId, to] of Object.entries({ 't-1': 'ann', 't-2': 'bob' })) {
      await trigger(session, { name: hello, to, transactionId, payload: { firstName: to } });
      await delivery.drain(1_000);
    }
  });

  const idsOf = async (query: string): Promise<unknown[]> =>
    (await dataOf<Json[]>(session.get(`/v1/notifications?${query}`), 200)).map(({ transactionId }) => transactionId);

  it('should list notifications with workflow and subscriber, and filter them', async () => {
    const list = (query: string): Promise<ShownPage> => pageOf(session.get(`/v1/notifications?${query}`));
    const all = await list('page=0');
    expect(all.hasMore).toBe(false);
    expect(all.data).toMatchObject([
      { transactionId: 't-2', subscriber: { subscriberId: 'bob' }, template: { triggers: [{ identifier: hello }] } },
      { transactionId: 't-1', channels: ['in_app'] },
    ]);
    // What typed clients cannot do without.
    expect(all.data[0]).toMatchObject({
      template: {
        triggers: [
          {
            type: 'event',
            variables: [{ name: 'firstName', type: 'String' }],
            reservedVariables: [],
            subscriberVariables: [],
          },
        ],
      },
      jobs: [{ step: { _templateId: expect.any(String) as string, filters: [] }, providerId: 'novu' }],
    });
    expect((await list('channels=in_app')).data).toHaveLength(2);
    expect((await list('channels=email')).data).toEqual([]);
    expect((await list(`templates=${helloId}`)).data).toHaveLength(2);
    expect((await list('subscriberIds=ann')).data).toMatchObject([{ transactionId: 't-1' }]);
    expect((await list('transactionId=t-2')).data).toHaveLength(1);
  });

  it('should take empty filters of notifications as not given', async () => {
    expect(await idsOf('channels=&templates=&emails=&subscriberIds=&search=&transactionId=')).toEqual(['t-2', 't-1']);
    expect(await idsOf('subscriberIds=&subscriberIds=ann')).toEqual(['t-1']);
  });

  it('should count the notifications of week and month', async () => {
    expect(await dataOf(session.get('/v1/notifications/stats'), 200)).toEqual({ weeklySent: 2, monthlySent: 2 });
    const other = await delivery.session();
    expect(await dataOf(other.get('/v1/notifications/stats'), 200)).toEqual({ weeklySent: 0, monthlySent: 0 });
  });

  it('should count the notifications of a day once for each channel', async () => {
    const { identifier } = await createWorkflow(session, [inApp('x'), email('Hello', 'text')]);
    await trigger(session, { name: identifier, to: 'ann' });
    await delivery.drain(1_000);
    const [day] = await dataOf<Json[]>(session.get('/v1/notifications/graph/stats'), 200);
    expect(day).toMatchObject({ count: 4, channels: expect.arrayContaining(['in_app', 'email']) as string[] });
  });

  it("should list the execution details of a subscriber's notification", async () => {
    const [notification] = await dataOf<Json[]>(session.get('/v1/notifications?transactionId=t-1'), 200);
    const query = `notificationId=${String(notification?.['_id'])}&subscriberId=ann`;
    const details = await dataOf<Json[]>(session.get(`/v1/execution-details?${query}`), 200);
    expect(details.length).toBeGreaterThan(0);
    for (const detail of details) {
      expect(detail).toMatchObject({
        _notificationId: notification?.['_id'],
        channel: 'in_app',
        transactionId: 't-1',
      });
    }
  });
});
