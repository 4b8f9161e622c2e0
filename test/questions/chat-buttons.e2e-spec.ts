import { QuestionChats } from '../../src/engine/questions/index.js';
import { WaitingWork } from '../../src/operations/testing/waiting-work.js';
import { dataOf, type Json, pageOf } from '../support/answers.js';
import {
  type Call,
  callHerald,
  chatServices,
  DISCORD,
  discordCall,
  SLACK,
  slackCall,
  TELEGRAM,
  telegramCall,
} from '../support/chat-providers.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { json, useProviderSink } from '../support/provider-sink.js';
import { PUBLIC_URL } from '../support/recipient-links.js';
import { useSession } from '../support/test-api.js';

const sink = useProviderSink();
const delivery = useDeliveryApi('question_chat_buttons', () => ({
  ...{ PUBLIC_URL, DELIVERY_WORKER: 'off', LOG_LEVEL: 'error' },
  PROVIDER_BASE_URLS: ['slack-app', 'telegram', 'discord'].map((id) => `${id}=${sink.url}`).join(','),
}));
const session = useSession(delivery.api);

type Provider = 'slack-app' | 'telegram' | 'discord';
const CREDENTIALS: Record<Provider, object> = { 'slack-app': SLACK, telegram: TELEGRAM, discord: DISCORD };
/** Where each of them is reached. */
const CHANNELS: Record<Provider, string> = { 'slack-app': 'C1', telegram: '42', discord: '777' };

interface Sent {
  readonly path: string;
  readonly body: Json;
}

const settle = async (): Promise<void> => {
  const { app } = delivery.api;
  await app.get(WaitingWork, { strict: false }).runDue();
  // Nobody waits for what chats say, but the end of the process.
  await app.get(QuestionChats, { strict: false }).beforeApplicationShutdown();
};
const sent = (): Sent[] => sink.requests.splice(0).map(({ path, body }) => ({ path, body: JSON.parse(body) as Json }));
const get = (id: string): Promise<Json> => dataOf(session.get(`/v1/questions/${id}`), 200);

/** A person who is reached through one provider. @returns the id of its integration */
const reach = async (subscriberId: string, providerId: Provider, channel = CHANNELS[providerId]): Promise<string> => {
  const integration = { providerId, channel: 'chat', active: true, check: false, credentials: CREDENTIALS[providerId] };
  const { _id } = await dataOf<{ _id: string }>(session.post('/v1/integrations', integration), 201);
  await session.post('/v1/subscribers', { subscriberId, firstName: subscriberId }).expect(201);
  const entry = { providerId, credentials: { channel } };
  await session.put(`/v1/subscribers/${subscriberId}/credentials`, entry).expect(200);
  return _id;
};
const ask = async (subscribers: string[], more: Json = {}): Promise<string> => {
  const asked = { title: 'Deploy?', body: 'All tests pass.', subscribers, ...more };
  const { _id } = await dataOf<{ _id: string }>(session.post('/v1/questions', asked), 201);
  await settle();
  return _id;
};

/** The tokens of the buttons of a message, as its service shows them. */
const tokensOf = (message: Json | undefined): string[] =>
  [...JSON.stringify(message).matchAll(/"(?:value|callback_data|custom_id)":"([\w-]{60})"/g)].map(
    ([, token = '']) => token,
  );

interface Pressed {
  readonly token?: string | undefined;
  readonly place?: string;
  readonly user?: string;
  readonly message?: string;
}
/** What a service tells when somebody presses a button. */
const PRESS: Record<Provider, (pressed: Pressed) => Call> = {
  'slack-app': ({ token, place = 'C1', user = 'U7', message = '1' }) =>
    slackCall({
      type: 'block_actions',
      user: { id: user },
      channel: { id: place, name: 'ops' },
      container: { message_ts: message, channel_id: place },
      actions: [{ action_id: 'answer-0', value: token }],
    }),
  telegram: ({ token, place = '42', user = '42', message = '1' }) =>
    telegramCall({
      update_id: 1,
      callback_query: {
        ...{ id: 'q1', from: { id: Number(user) }, data: token },
        message: { message_id: Number(message), chat: { id: Number(place) } },
      },
    }),
  discord: ({ token, place = '777', user = '9', message = '1' }) =>
    discordCall({
      ...{ type: 3, channel_id: place, member: { user: { id: user } } },
      ...{ data: { custom_id: token }, message: { id: message } },
    }),
};
const press = (providerId: Provider, integrationId: string, pressed: Pressed) =>
  callHerald(delivery.api, integrationId, PRESS[providerId](pressed));

beforeEach(() => {
  sink.answer = chatServices();
});

// What a question still says belongs to its test.
afterEach(() => settle());

describe('buttons of a question in a chat', () => {
  it('should answer from Slack, and be replaced by who decided', async () => {
    const integration = await reach('ada', 'slack-app');
    const id = await ask(['ada']);
    const [message, ...others] = sent();
    expect(others).toEqual([]);
    expect(message?.path).toBe('/chat.postMessage');
    expect(message?.body['blocks']).toMatchObject([
      {
        type: 'section',
        text: { type: 'mrkdwn', text: expect.stringMatching(/^Deploy\?\nAll tests pass\.\nAnswer: /) },
      },
      { type: 'actions', elements: [{ text: { text: 'Approve' } }, { text: { text: 'Refuse' } }] },
    ]);
    const [, refuse] = tokensOf(message?.body);
    const answered = await press('slack-app', integration, { token: refuse }).expect(200);
    expect(answered.text).toBe('');
    const [changed] = sent();
    expect(changed).toMatchObject({ path: '/chat.update', body: { channel: 'C1', ts: '1', blocks: [] } });
    expect(changed?.body['text']).toMatch(/^Deploy\?[^]+\n\nAnswered by ada: Refuse$/);
    expect(await get(id)).toMatchObject({
      status: 'answered',
      outcome: { value: 'refuse', by: { type: 'subscriber', subscriberId: 'ada' } },
      answers: [{ subscriberId: 'ada', value: 'refuse', via: 'chat', isAuthentic: true }],
    });
    await settle();
    const { data } = await pageOf<Json>(session.get('/v1/audit-log?action=answerQuestion'));
    expect(JSON.stringify(data)).toContain('{"path":"account","after":"slack-app:U7"}');
    await session.delete('/v1/subscribers/ada').expect(200);
    expect(JSON.stringify(await delivery.rows('questions'))).not.toContain('U7');
    expect(await get(id)).toMatchObject({ answers: [{ value: 'refuse', isAuthentic: true }] });
  });

  it('should answer from Telegram within the answer to its call', async () => {
    const integration = await reach('ada', 'telegram');
    const id = await ask(['ada']);
    const [message] = sent();
    expect(message?.body['reply_markup']).toMatchObject({
      inline_keyboard: [[{ text: 'Approve' }, { text: 'Refuse' }]],
    });
    const [approve] = tokensOf(message?.body);
    const { body } = await press('telegram', integration, { token: approve }).expect(200);
    expect(body).toEqual({ method: 'answerCallbackQuery', callback_query_id: 'q1', text: 'Answered by ada: Approve' });
    const [changed] = sent();
    expect(changed).toMatchObject({ path: '/bot123:abc/editMessageText', body: { chat_id: '42', message_id: 1 } });
    expect(changed?.body).not.toHaveProperty('reply_markup');
    expect(await get(id)).toMatchObject({ outcome: { value: 'approve' } });
  });

  it('should answer from Discord, whose message changes with the answer to its call', async () => {
    const integration = await reach('ada', 'discord');
    const probe = await callHerald(delivery.api, integration, discordCall({ type: 1 })).expect(200);
    expect(probe.body).toEqual({ type: 1 });
    const id = await ask(['ada'], { kind: 'choose', options: [...'abcdefg'].map((one) => ({ id: one, label: one })) });
    const [message] = sent();
    expect(message?.path).toBe('/channels/777/messages');
    expect(message?.body['components']).toMatchObject([{ components: { length: 5 } }, { components: { length: 2 } }]);
    const { body } = await press('discord', integration, { token: tokensOf(message?.body)[5] }).expect(200);
    expect(body).toMatchObject({ type: 7, data: { components: [] } });
    expect(JSON.stringify(body)).toContain('Answered by ada: f');
    expect(sent()).toEqual([]);
    expect(await get(id)).toMatchObject({ outcome: { value: 'f' } });
  });

  it('should have one winner where two are pressed at once through different services, and tell the other', async () => {
    const slack = await reach('ada', 'slack-app');
    const telegram = await reach('bob', 'telegram');
    const id = await ask(['ada', 'bob']);
    const messages = sent();
    const of = (start: string): string[] => tokensOf(messages.find(({ path }) => path.startsWith(start))?.body);
    await Promise.all([
      press('slack-app', slack, { token: of('/chat.')[0], message: '1' }).expect(200),
      press('telegram', telegram, { token: of('/bot')[1], message: '2' }).expect(200),
    ]);
    const { outcome, answers } = (await get(id)) as { outcome: Json; answers: Json[] };
    expect(answers).toHaveLength(1);
    const by = answers[0]?.['subscriberId'] === 'ada' ? 'ada: Approve' : 'bob: Refuse';
    expect(outcome).toMatchObject({ value: by.endsWith('Approve') ? 'approve' : 'refuse' });
    await settle();
    const changes = sent().map(({ path, body }) => [path, String(body['text'])] as const);
    for (const path of ['/chat.update', '/bot123:abc/editMessageText']) {
      const last = changes.filter(([to]) => to === path).at(-1);
      expect(last?.[1]).toContain(`Answered by ${by}`);
    }
    const again = await press('telegram', telegram, { token: of('/bot')[1], message: '2' }).expect(200);
    expect(again.body).toMatchObject({ text: `Answered by ${by}` });
    expect((await get(id))['answers']).toHaveLength(1);
  });

  it('should say that the others have not decided, and who decided once they have', async () => {
    const slack = await reach('ada', 'slack-app');
    await reach('bob', 'telegram');
    const id = await ask(['ada', 'bob'], { quorum: 'all' });
    const [approve, refuse] = tokensOf(sent().find(({ path }) => path.startsWith('/chat.'))?.body);
    await press('slack-app', slack, { token: approve }).expect(200);
    expect(sent()[0]?.body['text']).toContain('Your answer: Approve. The others have not decided yet.');
    // The same call again, and another answer: neither changes anything.
    await press('slack-app', slack, { token: approve }).expect(200);
    await press('slack-app', slack, { token: refuse }).expect(200);
    expect(await get(id)).toMatchObject({ status: 'open', answers: [{ value: 'approve' }] });
    await session.post(`/v1/questions/${id}/answers`, { subscriberId: 'bob', value: 'approve' }).expect(200);
    sent();
    await settle();
    expect(sent().map(({ path, body }) => [path, /\n\n(.*)$/.exec(String(body['text']))?.[1]])).toEqual(
      expect.arrayContaining([
        ['/chat.update', 'Answered by bob: Approve'],
        ['/bot123:abc/editMessageText', 'Answered by bob: Approve'],
      ]),
    );
  });
});

describe('what buttons do not take', () => {
  it('should be a press elsewhere, or one of another integration', async () => {
    const integration = await reach('ada', 'telegram');
    const id = await ask(['ada']);
    const [token = ''] = tokensOf(sent()[0]?.body);
    const elsewhere = await press('telegram', integration, { token, place: '43', user: '43' }).expect(200);
    expect(elsewhere.body).toMatchObject({ text: 'This button is for somebody else.' });
    const second = { providerId: 'telegram', channel: 'chat', active: true, check: false, credentials: TELEGRAM };
    const { _id } = await dataOf<{ _id: string }>(session.post('/v1/integrations', second), 201);
    for (const [at, given] of [
      [_id, token],
      [integration, token.replace(/^./, 'z')],
      [integration, 'x'],
    ] as const) {
      const refused = await press('telegram', at, { token: given }).expect(200);
      expect(refused.body).toMatchObject({ text: 'This button is not valid.' });
    }
    expect(await get(id)).toMatchObject({ status: 'open', answers: [] });
  });

  it('should be a message to a person that somebody else has pressed', async () => {
    const integration = await reach('ada', 'slack-app', 'U7');
    const id = await ask(['ada']);
    const [token] = tokensOf(sent()[0]?.body);
    for (const one of [
      { place: 'D5', user: 'U8' },
      { place: 'C1', user: 'U7' },
    ])
      await press('slack-app', integration, { token, ...one }).expect(200);
    expect(await get(id)).toMatchObject({ status: 'open', answers: [] });
    await press('slack-app', integration, { token, place: 'D5', user: 'U7' }).expect(200);
    expect(await get(id)).toMatchObject({ status: 'answered' });
  });

  it('should be a call that is not signed, is old, too large, or for nobody', async () => {
    const slack = await reach('ada', 'slack-app');
    const discord = await reach('bob', 'discord');
    const telegram = await reach('cay', 'telegram');
    const id = await ask(['ada', 'bob', 'cay']);
    const messages = sent();
    const tokenOf = (start: string): string =>
      tokensOf(messages.find(({ path }) => path.startsWith(start))?.body)[0] ?? '';
    const old = String(Math.floor(Date.now() / 1_000) - 600);
    const payload = {
      type: 'block_actions',
      user: { id: 'U7' },
      channel: { id: 'C1' },
      actions: [{ value: tokenOf('/chat.') }],
    };
    const component = { type: 3, channel_id: '777', user: { id: '9' }, data: { custom_id: tokenOf('/channels') } };
    const good = discordCall(component);
    const refused: [string, Call][] = [
      [slack, slackCall(payload, old)],
      [slack, slackCall(payload, undefined, 'another')],
      [slack, { ...slackCall(payload), headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
      [discord, discordCall(component, old)],
      [discord, { ...good, body: good.body.replace('"user"', '"users"') }],
      [discord, { ...good, headers: { ...good.headers, 'x-signature-ed25519': 'zz' } }],
      [telegram, telegramCall({ callback_query: { data: tokenOf('/bot') } }, 'another')],
    ];
    for (const [at, call] of refused) await callHerald(delivery.api, at, call).expect(401);
    const large = { ...payload, padding: 'x'.repeat(300_000) };
    await callHerald(delivery.api, slack, slackCall(large)).expect(413);
    await callHerald(delivery.api, '0'.repeat(24), slackCall(payload)).expect(404);
    expect(await get(id)).toMatchObject({ status: 'open', answers: [] });
  });

  it.each([
    [
      'slack-app',
      [
        slackCall({}),
        slackCall([]),
        slackCall({ type: 'block_actions', actions: 7, user: null }),
        slackCall({ type: 'view_closed' }),
      ],
    ],
    [
      'discord',
      [discordCall({ type: 3 }), discordCall({ type: 3, data: [], channel_id: {}, user: 'x' }), discordCall([1])],
    ],
    [
      'telegram',
      [telegramCall({ callback_query: [] }), telegramCall({ callback_query: { id: {}, message: 'x', data: null } })],
    ],
  ] as const)('should be nonsense that %s has signed', async (providerId, calls) => {
    const integration = await reach('ada', providerId);
    for (const call of calls) await callHerald(delivery.api, integration, call).expect(200);
  });

  it('should be credentials that cannot be such', async () => {
    for (const [providerId, callbackSecret] of [
      ['discord', 'xyz'],
      ['telegram', 'a b'],
      ['slack-app', 'a\nb'],
    ] as const) {
      const credentials = { ...CREDENTIALS[providerId], callbackSecret };
      const body = { providerId, channel: 'chat', active: true, check: false, credentials };
      const { body: answer } = await session.post('/v1/integrations', body).expect(400);
      expect(JSON.stringify(answer)).toContain('callbackSecret');
    }
  });
});

describe('a question without buttons', () => {
  it('should have none where Herald would not hear of them, nor for a text', async () => {
    const integration = { providerId: 'telegram', channel: 'chat', active: true, check: false };
    const { _id } = await dataOf<{ _id: string }>(
      session.post('/v1/integrations', { ...integration, credentials: { apiToken: '123:abc' } }),
      201,
    );
    await session.post('/v1/subscribers', { subscriberId: 'ada' }).expect(201);
    const entry = { providerId: 'telegram', credentials: { channel: '42' } };
    await session.put('/v1/subscribers/ada/credentials', entry).expect(200);
    await ask(['ada']);
    await session.put(`/v1/integrations/${_id}`, { credentials: TELEGRAM, check: false }).expect(200);
    await ask(['ada'], { kind: 'text' });
    for (const { body } of sent()) {
      expect(body).not.toHaveProperty('reply_markup');
      expect(body['text']).toMatch(/\nAnswer: https:\S+$/);
    }
  });

  it('should answer the call of a service that answers none itself', async () => {
    const integration = await reach('ada', 'telegram');
    await ask(['ada']);
    const [token] = tokensOf(sent()[0]?.body);
    sink.answer = () => undefined;
    const startedAt = performance.now();
    const { body } = await press('telegram', integration, { token }).expect(200);
    expect(body).toMatchObject({ text: 'Answered by ada: Approve' });
    // Telegram waits three seconds; a call of Herald without its limit would take fifteen.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  it('should keep its outcome where the service refuses every change', async () => {
    const integration = await reach('ada', 'telegram');
    const id = await ask(['ada']);
    const [token] = tokensOf(sent()[0]?.body);
    sink.answer = json(400, { ok: false, description: "Bad Request: message can't be edited" });
    const { body } = await press('telegram', integration, { token }).expect(200);
    expect(body).toMatchObject({ text: 'Answered by ada: Approve' });
    await settle();
    expect(await get(id)).toMatchObject({ status: 'answered' });
  });
});
