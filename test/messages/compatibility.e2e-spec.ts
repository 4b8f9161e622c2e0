import { codeOf, dataOf, type Json } from '../support/answers.js';
import { createWorkflow, inApp, trigger } from '../support/delivery.js';
import { useDelivery, useSession } from '../support/herald.js';

/** Replays what the compatible system's own tests expect of messages. */
describe('compatibility: messages', () => {
  const delivery = useDelivery();
  const session = useSession(delivery);
  let hello: string;
  beforeEach(async () => {
    ({ identifier: hello } = await createWorkflow(session, [inApp('Hello {{firstName}}')]));
  });
  beforeEach(async () => {
    for (const [transactionId, to] of Object.entries({ 't-1': 'ann', 't-2': 'bob' })) {
      await trigger(session, { name: hello, to, transactionId, payload: { firstName: to } });
      await delivery.drain(1_000);
    }
  });

  const transactions = async (query: string): Promise<unknown[]> =>
    (await dataOf<Json[]>(session.get(`/v1/messages?${query}`), 200)).map(({ transactionId }) => transactionId);

  it('should list messages by channel, subscriber, and one or several transactions', async () => {
    expect(await transactions('channel=in_app')).toEqual(['t-2', 't-1']);
    expect(await transactions('channel=email')).toEqual([]);
    expect(await transactions('subscriberId=ann')).toEqual(['t-1']);
    expect(await transactions('transactionId=t-1')).toEqual(['t-1']);
    expect(await transactions('transactionId=t-1&transactionId=t-2')).toEqual(['t-2', 't-1']);
    expect(await codeOf(session.get('/v1/messages?subscriberId=nobody'), 404)).toBe('subscriber_not_found');
  });

  it('should delete messages by id, and by transaction of one channel only', async () => {
    await session.delete('/v1/messages/64f0c1a2b3c4d5e6f7a8b9c0').expect(404);
    await session.delete('/v1/messages/transaction/t-1?channel=email').expect(404);
    await session.delete('/v1/messages/transaction/t-1?channel=in_app').expect(204);
    expect(await transactions('')).toEqual(['t-2']);
  });
});
