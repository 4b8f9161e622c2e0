import { createWorkflow, delay, feedOf, inApp, notificationOf, trigger } from '../support/delivery.js';
import { useDelivery, useSession } from '../support/herald.js';

describe('conditions on an earlier step', () => {
  const delivery = useDelivery();
  const session = useSession(delivery);

  const when = (child: Record<string, unknown>): Record<string, unknown>[] => [
    { isNegated: false, type: 'GROUP', value: 'AND', children: [child] },
  ];
  const contents = async (id: string): Promise<string[]> => (await feedOf(session, id)).map(({ content }) => content);

  it('should look at what became of an earlier step', async () => {
    const { identifier, steps } = await createWorkflow(session, [
      inApp('first', { uuid: '5f5a4c9e-0000-4000-8000-000000000001' }),
      delay(),
      inApp('reminder', {
        filters: when({ on: 'previousStep', step: '5f5a4c9e-0000-4000-8000-000000000001', stepType: 'unread' }),
      }),
    ]);
    expect(steps[0]?.uuid).toBe('5f5a4c9e-0000-4000-8000-000000000001');
    await trigger(session, { name: identifier, to: ['ann', 'bob'] });
    await delivery.drain();
    const [message] = await feedOf(session, 'ann');
    await session.post('/v1/subscribers/ann/messages/mark-as', { messageId: message?._id, markAs: 'read' }).expect(201);
    await delivery.drain(300_000);
    expect(await contents('ann')).toEqual(['first']);
    expect((await contents('bob')).sort()).toEqual(['first', 'reminder']);
  });

  it.each([
    ['read', 'skipped'],
    ['unread', 'completed'],
  ])('should know that nobody has %s what a step just before has sent', async (stepType, status) => {
    const uuid = '5f5a4c9e-0000-4000-8000-000000000002';
    const filters = when({ on: 'previousStep', step: uuid, stepType });
    const { identifier } = await createWorkflow(session, [inApp('first', { uuid }), inApp('second', { filters })]);
    const id = await trigger(session, { name: identifier, to: 'ann' });
    await delivery.drain();
    expect(await notificationOf(session, id)).toMatchObject({ jobs: [{ status: 'completed' }, { status }] });
  });
});
