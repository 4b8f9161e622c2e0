import { createChannelRegistry, type ChannelRegistry, type ChatMessage } from '../../index.js';
import { startRecordingServer, type RecordingServer } from '../../../test/recording-server.js';

const BUTTONS = [{ label: 'x'.repeat(100), token: 'a'.repeat(60) }];

describe('what a message has that asks a question', () => {
  let server: RecordingServer;
  let registry: ChannelRegistry;
  beforeAll(async () => {
    server = await startRecordingServer();
    const baseUrls = { discord: server.url, 'slack-app': server.url };
    registry = createChannelRegistry({ allowPrivateUrls: true, baseUrls });
  });
  beforeEach(() => {
    server.requests.splice(0);
    server.answer = () => ({ body: { ok: true, id: '5', channel_id: '777' } });
  });
  afterAll(async () => {
    await registry.close();
    await server.close();
  });

  const send = async (
    id: string,
    credentials: object,
    message: Partial<ChatMessage>,
  ): Promise<[string, unknown, string?]> => {
    const whole = { channel: 'chat', id: 'm-1', content: 'Deploy?', ...message } as const;
    const options = { credentials: { ...credentials }, idempotencyKey: 'k' };
    const { id: sent } = await registry.send('chat', id, whole, options);
    const [request] = server.requests.splice(0);
    return [`${request?.method} ${request?.path}`, JSON.parse(String(request?.body)) as unknown, sent];
  };

  it('should be as short as Slack wants it', async () => {
    const [path, body] = await send(
      'slack-app',
      { apiToken: 'xoxb-1' },
      {
        content: 'é'.repeat(3_001),
        buttons: BUTTONS,
        subscriberCredentials: { channel: 'C1' },
      },
    );
    expect(path).toBe('POST /chat.postMessage');
    expect(body).toMatchObject({
      blocks: [
        { text: { text: 'é'.repeat(3_000) } },
        { text: { text: 'é' } },
        { elements: [{ text: { text: `${'x'.repeat(74)}…` }, value: 'a'.repeat(60) }] },
      ],
    });
  });

  it('should be changed at Discord where it was sent: by the bot, or through the webhook', async () => {
    const bot = { apiToken: 'bot', callbackSecret: 'a'.repeat(64) };
    const room = { subscriberCredentials: { channel: '777' } };
    const [posted, , sent] = await send('discord', bot, { ...room, buttons: BUTTONS });
    expect([posted, sent]).toEqual(['POST /channels/777/messages', '777:5']);
    const [path, body] = await send('discord', bot, { ...room, replaces: '777:5', buttons: [] });
    expect([path, body]).toEqual(['PATCH /channels/777/messages/5', { content: 'Deploy?', components: [] }]);
    const hook = { subscriberCredentials: { webhookUrl: `${server.url}/hook?thread_id=3` } };
    expect((await send('discord', bot, { ...hook, replaces: '5' }))[0]).toBe('PATCH /hook/messages/5?thread_id=3');
  });

  it('should lead from Teams to the page', async () => {
    const hook = { subscriberCredentials: { webhookUrl: `${server.url}/workflow` } };
    const answerUrl = 'https://herald.example/answer/1';
    const [, body] = await send('msteams', {}, { ...hook, answerUrl });
    expect(JSON.stringify(body)).toContain(
      JSON.stringify({ actions: [{ type: 'Action.OpenUrl', title: 'Answer', url: answerUrl }] }).slice(1, -1),
    );
  });
});
