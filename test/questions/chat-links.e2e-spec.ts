import { QuestionChats } from '../../src/engine/questions/index.js';
import { WaitingWork } from '../../src/operations/testing/waiting-work.js';
import { dataOf, type Json } from '../support/answers.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { json, useProviderSink } from '../support/provider-sink.js';
import { postForm, PUBLIC_URL } from '../support/recipient-links.js';
import { useSession } from '../support/test-api.js';

const sink = useProviderSink();
const delivery = useDeliveryApi('question_chat_links', () => ({
  ...{ PUBLIC_URL, DELIVERY_WORKER: 'off', LOG_LEVEL: 'error' },
  PROVIDER_BASE_URLS: `telegram=${sink.url}`,
}));
const session = useSession(delivery.api);
const LINK = /https:\/\/mail\.example\/herald(\/answer\/[\w-]+)/;

describe('a question in a chat without buttons', () => {
  const settle = async (ms = 0): Promise<void> => {
    const { app } = delivery.api;
    delivery.clock.advance(ms);
    await app.get(WaitingWork, { strict: false }).runDue();
    // Nobody waits for what chats say, but the end of the process.
    await app.get(QuestionChats, { strict: false }).beforeApplicationShutdown();
  };
  const sent = (): Json[] => sink.requests.splice(0).map(({ body }) => JSON.parse(body) as Json);

  beforeEach(async () => {
    sink.answer = json(200, { ok: true, result: { message_id: 1, chat: { id: 42 } } });
    for (const subscriberId of ['ada', 'bob']) await session.post('/v1/subscribers', { subscriberId }).expect(201);
  });

  const integrate = async (): Promise<void> => {
    const credentials = { apiToken: '123:abc' };
    const telegram = { providerId: 'telegram', channel: 'chat', active: true, check: false, credentials };
    await session.post('/v1/integrations', telegram).expect(201);
    const entry = { providerId: 'telegram', credentials: { channel: '42' } };
    await session.put('/v1/subscribers/ada/credentials', entry).expect(200);
  };

  it('should have the text and a link of the person, and so should its reminder', async () => {
    await integrate();
    const asked = { title: 'Deploy <4.2>?', body: 'All tests pass.', subscribers: ['ada', 'bob'], remindAfter: 60 };
    const { _id } = await dataOf<{ _id: string }>(session.post('/v1/questions', asked), 201);
    await settle();
    const [first, ...others] = sent();
    expect(others).toEqual([]);
    expect(first).toMatchObject({ chat_id: '42' });
    expect(first?.['text']).toMatch(/^Deploy <4\.2>\?\nAll tests pass\.\nAnswer: https:\S+$/);
    const runs = await dataOf<Json[]>(session.get('/v1/notifications?limit=10'), 200);
    expect(runs.map(({ status }) => status)).toEqual(['completed', 'completed']);

    await settle(60_000);
    const [reminder] = sent();
    expect(reminder?.['text']).toMatch(/^Reminder: Deploy/);
    const path = LINK.exec(String(reminder?.['text']))?.[1] ?? '';
    await postForm(delivery.api, path, 'answer=refuse').expect(200);
    expect(await dataOf(session.get(`/v1/questions/${_id}`), 200)).toMatchObject({
      outcome: { value: 'refuse', by: { subscriberId: 'ada' } },
    });
    await settle();
    expect(sent().map(({ text }) => /\n\n(.*)$/.exec(String(text))?.[1])).toEqual([
      'Answered by ada: Refuse',
      'Answered by ada: Refuse',
    ]);
  });

  it('should not be sent where the environment has no chat', async () => {
    await session.post('/v1/questions', { title: 'Deploy?', subscribers: ['ada'] }).expect(201);
    await settle();
    expect(sent()).toEqual([]);
    const [run] = await dataOf<Json[]>(session.get('/v1/notifications?limit=10'), 200);
    expect(run).toMatchObject({ status: 'completed' });
  });
});
