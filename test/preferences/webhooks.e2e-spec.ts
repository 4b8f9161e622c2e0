import type { Json } from '../support/answers.js';
import { createWorkflow, email, inApp } from '../support/delivery.js';
import { eventually } from '../support/eventually.js';
import { useDelivery, useSession } from '../support/herald.js';
import { openInbox } from '../support/inbox-client.js';
import { createReceiver, type Receiver } from '../support/webhook-receiver.js';

describe('preference.changed', () => {
  const delivery = useDelivery();
  const session = useSession(delivery);
  let hook: Receiver;
  let workflow: Awaited<ReturnType<typeof createWorkflow>>;
  beforeEach(async () => {
    hook = await createReceiver(session, ['preference.changed']);
    workflow = await createWorkflow(session, [email('a', 'b'), inApp('c')]);
    await session.post('/v1/subscribers', { subscriberId: 'ada' }).expect(201);
  });
  afterEach(() => hook.server.close());

  const PATH = '/v1/subscribers/ada/preferences';
  const told = async (count: number): Promise<Json[]> => {
    await delivery.drain();
    await eventually(() => expect(hook.server.requests).toHaveLength(count));
    return hook.bodies().map(({ data }) => data as unknown as Json);
  };

  it('should tell what the API switched for a workflow, once, and not what was so before', async () => {
    const off = { channel: { type: 'email', enabled: false } };
    for (let time = 0; time < 2; time++) await session.patch(`${PATH}/${workflow._id}`, off).expect(200);
    await session.patch(`${PATH}/${workflow._id}`, { channel: { type: 'in_app', enabled: true } }).expect(200);
    expect(await told(1)).toEqual([
      {
        subscriberId: 'ada',
        workflowId: workflow._id,
        workflowIdentifier: workflow.identifier,
        channel: 'email',
        enabled: false,
        via: 'api',
      },
    ]);
    expect(hook.bodies()[0]).toMatchObject({ type: 'preference.changed' });
  });

  it('should tell every channel where all of them are switched, and only those that were on', async () => {
    await session.patch(`${PATH}/${workflow._id}`, { channel: { type: 'email', enabled: false } }).expect(200);
    await session.patch(`${PATH}/${workflow._id}`, { enabled: false }).expect(200);
    expect((await told(2)).map(({ channel, enabled }) => [channel, enabled]).sort()).toEqual([
      ['email', false],
      ['in_app', false],
    ]);
    await session.patch(PATH, { enabled: false }).expect(200);
    const global = (await told(7)).slice(2);
    expect(global.map(({ channel }) => channel).sort()).toEqual(['chat', 'email', 'in_app', 'push', 'sms']);
    expect(global.every((data) => !Object.hasOwn(data, 'workflowId') && data['via'] === 'api')).toBe(true);
  });

  it('should tell what the subscriber switches in the Inbox', async () => {
    const { client } = await openInbox(delivery, session, { workflow: { steps: [email('a', 'b'), inApp('c')] } });
    await client.patch(`preferences/${workflow._id}`, { email: false, in_app: false }).expect(200);
    await client.patch('preferences', { sms: false }).expect(200);
    const inbox = { via: 'inbox', enabled: false };
    const events = await told(3);
    for (const expected of [
      { ...inbox, channel: 'email', workflowId: workflow._id },
      { ...inbox, channel: 'in_app', workflowId: workflow._id },
      { ...inbox, channel: 'sms' },
    ]) {
      expect(events).toContainEqual(expect.objectContaining(expected));
    }
  });
});
