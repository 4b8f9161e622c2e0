import { dataOf } from '../support/answers.js';
import { type AllChannels, startAllChannels } from '../support/all-channels.js';
import { createWorkflow, messagesOf, trigger } from '../support/delivery.js';
import { useHerald } from '../support/herald.js';

const herald = useHerald();
let channels: AllChannels;
beforeAll(async () => {
  channels = await startAllChannels();
});
afterAll(() => channels.close());

describe('messages of every channel', () => {
  it('should show the payload and the overrides of the event', async () => {
    const session = await herald.session();
    await channels.integrate(session);
    const { identifier } = await createWorkflow(session, channels.steps);
    const payload = { order: 4711, nested: { 'a.b': [1] } };
    const overrides = { email: { subject: 'Another subject' }, sms: { content: 'Another text' }, anything: { a: 1 } };
    const to = channels.recipient('ada');
    const transactionId = await trigger(session, { name: identifier, to, payload, overrides });
    await herald.drain();
    const messages = await messagesOf(session, transactionId);
    expect(messages.map(({ channel, status }) => [channel, status]).sort()).toEqual([
      ['chat', 'sent'],
      ['email', 'sent'],
      ['in_app', 'sent'],
      ['push', 'sent'],
      ['sms', 'sent'],
    ]);
    for (const message of messages) {
      expect(message).toMatchObject({ payload, overrides });
      const path = `/v1/subscribers/ada/messages/${message._id}/actions/primary`;
      expect(await dataOf(session.post(path, { status: 'done' }), 201)).toMatchObject({ payload, overrides });
    }
  });

  it('should show them where nothing could be sent', async () => {
    const session = await herald.session();
    await channels.integrate(session);
    const { identifier } = await createWorkflow(session, channels.steps.slice(3, 4));
    const to = {
      subscriberId: 'ada',
      channels: [{ providerId: 'mattermost' as const, credentials: { channel: 'general' } }],
    };
    const told = { payload: { order: 4711 }, overrides: { chat: { icon_emoji: ':truck:' } } };
    const transactionId = await trigger(session, { name: identifier, to, ...told });
    await herald.drain();
    const messages = await messagesOf(session, transactionId);
    expect(messages).toMatchObject([{ channel: 'chat', status: 'warning', ...told }]);
  });
});
