import { createWorkflow, messagesOf, notificationOf, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { hangUp, json, useProviderSink } from '../support/provider-sink.js';
import { useSession } from '../support/test-api.js';
import { dataOf, faultsOf } from '../support/answers.js';

describe('delivery through chat applications', () => {
  const delivery = useDeliveryApi('chat_apps', { DELIVERY_MAX_ATTEMPTS: '3' });
  const session = useSession(delivery.api);
  const sink = useProviderSink();
  const chat = { template: { type: 'chat', content: 'Disk {{disk}} is full' } };
  const bodies = (): unknown[] => sink.requests.map(({ body }) => JSON.parse(body) as unknown);

  const integrate = async (providerId: string, credentials: object): Promise<void> => {
    const body = { providerId, channel: 'chat', active: true, check: false, credentials };
    await session.post('/v1/integrations', body).expect(201);
  };
  const person = (
    subscriberId: string,
    providerId: 'matrix' | 'ntfy' | 'chat-webhook',
    credentials: Record<string, string>,
  ) => ({
    subscriberId,
    channels: [{ providerId, credentials }],
  });

  it('should fill the templates of a webhook, and keep its JSON whole', async () => {
    await integrate('chat-webhook', {
      webhookUrl: `${sink.url}/rooms`,
      method: 'PUT',
      headers: { authorization: 'Bearer {{tenantToken}}' },
      body: '{"text": "{{message.content}}", "to": "{{subscriber.firstName}}", "tags": ["{{message.severity}}"]}',
    });
    const { identifier } = await createWorkflow(session, [chat], { severity: 'high' });
    const id = await trigger(session, {
      name: identifier,
      to: { ...person('ann', 'chat-webhook', {}), firstName: 'Ann "A"' },
      payload: { disk: '"C:\\"', tenantToken: 't' },
    });
    await delivery.drain();
    expect(sink.requests.map(({ path }) => path)).toEqual(['/rooms']);
    expect(bodies()).toEqual([{ text: 'Disk "C:\\" is full', to: 'Ann "A"', tags: ['high'] }]);
    expect(await messagesOf(session, id)).toMatchObject([{ status: 'sent', providerId: 'chat-webhook' }]);
  });

  it('should refuse a webhook whose template is none', async () => {
    const credentials = { webhookUrl: `${sink.url}/rooms`, headers: { 'x-a': '{{#if' }, body: '{"a": ["{{b"]}' };
    const body = { providerId: 'chat-webhook', channel: 'chat', active: true, check: false, credentials };
    const faults = await faultsOf(session.post('/v1/integrations', body));
    expect(faults.map((fault) => fault.split(' ')[0]).sort()).toEqual([
      'credentials.body.a.0',
      'credentials.headers.x-a',
    ]);
  });

  it('should send to Matrix again with the same transaction, since that sends nothing twice', async () => {
    await integrate('matrix', { baseUrl: sink.url, token: 'syt_x' });
    const { identifier } = await createWorkflow(session, [chat]);
    let cuts = 1;
    sink.answer = (path, body, response) => (cuts-- > 0 ? hangUp : json(200, { event_id: '$1' }))(path, body, response);
    const to = person('ann', 'matrix', { channel: '!room:example.org' });
    const id = await trigger(session, { name: identifier, to, payload: { disk: 'C' } });
    await delivery.drain(120_000);
    const [message] = await messagesOf(session, id);
    expect(message).toMatchObject({ status: 'sent', identifier: '$1' });
    const path = `/_matrix/client/v3/rooms/!room%3Aexample.org/send/m.room.message/${message?._id}`;
    expect(sink.requests.map((request) => request.path)).toEqual([path, path]);
  });

  it('should replace and answer the message of an earlier event, and say when there is none', async () => {
    await integrate('matrix', { baseUrl: sink.url, token: 'syt_x' });
    const { identifier } = await createWorkflow(session, [chat]);
    let events = 0;
    sink.answer = (...args) => json(200, { event_id: `$${(events += 1)}` })(...args);
    const to = person('ann', 'matrix', { channel: '!room:example.org' });
    const say = async (transactionId: string, over: Record<string, string>): Promise<string> => {
      await trigger(session, {
        name: identifier,
        to,
        transactionId,
        payload: { disk: 'C' },
        overrides: { chat: over },
      });
      await delivery.drain();
      return transactionId;
    };
    await say('alert-1', {});
    await say('alert-2', { replaces: 'alert-1' });
    await say('alert-3', { replyTo: 'alert-1' });
    const unknown = await say('alert-4', { replaces: 'never' });
    expect(bodies()).toMatchObject([
      { body: 'Disk C is full' },
      { 'm.relates_to': { rel_type: 'm.replace', event_id: '$1' } },
      { 'm.relates_to': { rel_type: 'm.thread', event_id: '$1' } },
      { body: 'Disk C is full' },
    ]);
    const { jobs } = await notificationOf(session, unknown);
    expect(jobs[0]).toMatchObject({ status: 'completed' });
    expect(jobs[0]?.executionDetails.map(({ detail }) => detail)).toContain(
      'The earlier message was not found, and a new one is sent',
    );
  });

  it('should refuse a text that would be cut, and a subscriber without a topic', async () => {
    await integrate('ntfy', { baseUrl: sink.url });
    const { identifier } = await createWorkflow(session, [chat]);
    const long = {
      name: identifier,
      to: person('ann', 'ntfy', { channel: 'disks' }),
      payload: { disk: 'x'.repeat(5_000) },
    };
    const nowhere = { name: identifier, to: person('bob', 'ntfy', { title: 'No topic' }), payload: { disk: 'C' } };
    const [tooLong, lost] = [await trigger(session, long), await trigger(session, nowhere)];
    await delivery.drain(120_000);
    expect(sink.requests).toEqual([]);
    expect((await messagesOf(session, tooLong))[0]).toMatchObject({
      status: 'error',
      errorText: expect.stringContaining('5,013 bytes') as string,
    });
    expect((await messagesOf(session, lost))[0]).toMatchObject({
      status: 'warning',
      errorText: "The subscriber has no channel for 'ntfy'.",
    });
  });

  it('should not check what can only be checked by sending', async () => {
    await integrate('chat-webhook', { webhookUrl: `${sink.url}/rooms` });
    const [{ _id }] = await dataOf<[{ _id: string }]>(session.get('/v1/integrations'), 200);
    expect(await dataOf(session.post(`/v1/integrations/${_id}/check`, {}), 200)).toMatchObject({
      result: 'not_offered',
    });
    expect(sink.requests).toEqual([]);
  });
});
