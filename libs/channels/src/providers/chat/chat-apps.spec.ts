import { createChannelRegistry, type ChannelRegistry, type ChatMessage, type SendResult } from '../../index.js';
import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { CHAT, SERVER, type ProviderCase } from '../../../test/provider-case.js';
import { startRecordingServer, type CannedAnswer, type RecordingServer } from '../../../test/recording-server.js';

const { webhookUrl: _webhook, ...BARE } = CHAT;
const to = (channel: string, more: Partial<ChatMessage> = {}): ChatMessage => ({
  ...BARE,
  ...more,
  subscriberCredentials: { channel },
});

const CASES: Omit<ProviderCase, 'channel'>[] = [
  {
    id: 'slack-app',
    credentials: { apiToken: 'xoxb-secret' },
    message: { ...BARE, email: 'ada@example.com', customData: { blocks: [{ type: 'divider' }] } },
    prelude: { '/users.lookupByEmail?email=ada%40example.com': { body: { ok: true, user: { id: 'U1' } } } },
    request: {
      path: '/chat.postMessage',
      headers: { authorization: 'Bearer xoxb-secret' },
      json: { channel: 'U1', text: 'Hello *Ada*', blocks: [{ type: 'divider' }] },
    },
    success: { body: { ok: true, channel: 'D1', ts: '1503435956.000247' } },
    result: { id: 'D1:1503435956.000247' },
    failure: { body: { ok: false, error: 'invalid_blocks' }, words: 'invalid_blocks' },
    check: { method: 'POST', path: '/auth.test', success: { body: { ok: true } } },
  },
  {
    id: 'telegram',
    credentials: { apiToken: '123:tg-secret' },
    message: to('42', { customData: { parse_mode: 'HTML' } }),
    request: {
      path: '/bot123:tg-secret/sendMessage',
      json: { chat_id: '42', text: 'Hello *Ada*', parse_mode: 'HTML' },
    },
    success: { body: { ok: true, result: { message_id: 7, chat: { id: 42 }, date: 1_767_323_045 } } },
    result: { id: '42:7' },
    failure: {
      body: { ok: false, error_code: 400, description: "Bad Request: can't parse entities" },
      words: "can't parse entities",
    },
    check: { method: 'GET', path: '/bot123:tg-secret/getMe' },
  },
  {
    id: 'ntfy',
    credentials: { token: 'tk_secret' },
    message: to('disks', { severity: 'high', customData: { title: 'Disk', tags: ['warning'] } }),
    request: {
      path: '/',
      headers: { authorization: 'Bearer tk_secret' },
      json: { topic: 'disks', message: 'Hello *Ada*', priority: 5, title: 'Disk', tags: ['warning'] },
    },
    success: { body: { id: 'hwQ2YpKdmg', time: 1_635_528_741, event: 'message', topic: 'disks' } },
    result: { id: 'hwQ2YpKdmg' },
    failure: { body: { code: 40_009, http: 400, error: 'invalid request: topic invalid' }, words: 'topic invalid' },
    check: { method: 'GET', path: '/v1/account' },
  },
  {
    id: 'gotify',
    credentials: { baseUrl: SERVER, token: 'AGotifySecret' },
    message: { ...BARE, severity: 'low', customData: { title: 'Backup' } },
    request: {
      path: '/message',
      headers: { 'x-gotify-key': 'AGotifySecret' },
      json: { message: 'Hello *Ada*', priority: 2, title: 'Backup' },
    },
    success: { body: { id: 25, appid: 5, message: 'Hello *Ada*', date: '2026-01-02T03:04:05.678Z' } },
    result: { id: '25', date: '2026-01-02T03:04:05.678Z' },
    failure: {
      body: { error: 'Bad Request', errorCode: 400, errorDescription: "Field 'message' is required" },
      words: 'is required',
    },
    check: { method: 'POST', path: '/message', json: {}, success: { status: 400, body: { error: 'Bad Request' } } },
  },
  {
    id: 'matrix',
    credentials: { baseUrl: SERVER, token: 'syt_secret' },
    message: to('!abc:example.org'),
    request: {
      method: 'PUT',
      path: '/_matrix/client/v3/rooms/!abc%3Aexample.org/send/m.room.message/key-1',
      headers: { authorization: 'Bearer syt_secret' },
      json: { msgtype: 'm.text', body: 'Hello *Ada*' },
    },
    success: { body: { event_id: '$1' } },
    result: { id: '$1' },
    failure: { body: { errcode: 'M_BAD_JSON', error: 'Event is not valid' }, words: 'not valid' },
    check: { method: 'GET', path: '/_matrix/client/v3/account/whoami' },
  },
  {
    id: 'google-chat',
    credentials: {},
    message: { ...CHAT, customData: { thread: { threadKey: 'order-7' } } },
    request: {
      path: '/hook/secret-part?a=1&requestId=key-1&messageReplyOption=REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD',
      json: { text: 'Hello *Ada*', thread: { threadKey: 'order-7' } },
    },
    success: { body: { name: 'spaces/A/messages/B', thread: { name: 'spaces/A/threads/C' } } },
    result: { id: 'spaces/A/messages/B' },
    failure: {
      body: { error: { code: 400, message: 'Message cannot be empty', status: 'INVALID_ARGUMENT' } },
      words: 'empty',
    },
  },
  {
    id: 'apprise',
    credentials: { baseUrl: SERVER, token: 'apprise-key' },
    message: to('family', { severity: 'medium', customData: { title: 'Hi' } }),
    request: {
      path: '/notify/apprise-key',
      json: { tag: 'family', body: 'Hello *Ada*', type: 'warning', title: 'Hi' },
    },
    success: { body: { error: null, details: [] } },
    result: {},
    failure: { body: { error: 'Payload lacks minimum requirements' }, words: 'minimum requirements' },
    check: { method: 'GET', path: '/json/urls/apprise-key?privacy=1' },
  },
  {
    id: 'chat-webhook',
    credentials: { webhookUrl: `${SERVER}/in/hook-secret`, secretKey: 'whsec_c2VjcmV0LWtleS1vZi10aGUtaG9vaw==' },
    message: { ...BARE, severity: 'high', rendered: {} },
    request: {
      path: '/in/hook-secret',
      headers: {
        'webhook-id': 'key-1',
        'webhook-timestamp': '1767323045',
        'webhook-signature': 'v1,XBC+VFFmXvBo3IEgJ7A2qyqlcE9dqghNQSit9IxSR2E=',
      },
      json: { id: 'm-1', content: 'Hello *Ada*', severity: 'high' },
    },
    success: { body: { id: 'w1' } },
    result: { id: 'w1' },
    failure: { body: { message: 'no such room' }, words: 'no such room' },
  },
];

describe('chat applications', () => {
  for (const given of CASES) itBehavesLikeAnHttpProvider({ ...given, channel: 'chat' });
});

describe('what chat applications say and need', () => {
  let server: RecordingServer;
  let registry: ChannelRegistry;
  const CREDENTIALS: Record<string, Record<string, unknown>> = {
    telegram: { apiToken: '123:tg-secret' },
    'slack-app': { apiToken: 'xoxb-secret' },
    ntfy: {},
  };
  const keysOf = (id: string): Record<string, unknown> =>
    CREDENTIALS[id] ?? { baseUrl: server.url, token: `${id}-secret`, webhookUrl: `${server.url}/hook` };

  beforeAll(async () => {
    server = await startRecordingServer();
    const baseUrls = { telegram: server.url, 'slack-app': server.url, ntfy: server.url };
    registry = createChannelRegistry({ allowPrivateUrls: true, baseUrls, now: () => new Date('2026-01-02T03:04:05Z') });
  });
  beforeEach(() => {
    server.requests.splice(0);
    server.answer = () => ({ body: { ok: true } });
  });
  afterAll(async () => {
    await registry.close();
    await server.close();
  });

  const send = (id: string, message: ChatMessage, credentials = keysOf(id)): Promise<SendResult> =>
    registry.send('chat', id, message, { credentials, idempotencyKey: 'key-1', timeoutMs: 120_000 });
  const bodies = (): unknown[] =>
    server.requests.map(({ body }) => (body.length > 0 ? (JSON.parse(body.toString()) as unknown) : {}));
  const paths = (): string[] => server.requests.map(({ method, path }) => `${method} ${path}`);

  it.each<[string, CannedAnswer, Record<string, unknown>]>([
    [
      'telegram',
      {
        status: 429,
        body: { ok: false, error_code: 429, description: 'Too Many Requests', parameters: { retry_after: 35 } },
      },
      { code: 'rate_limited', retryable: true, retryAfterMs: 35_000, outcome: 'not_sent' },
    ],
    [
      'telegram',
      { status: 403, body: { ok: false, description: 'Forbidden: bot was blocked by the user' } },
      { code: 'invalid_target', retryable: false, isGone: true },
    ],
    [
      'telegram',
      { status: 404, body: { ok: false, description: 'Not Found' } },
      { code: 'unauthorized', retryable: false },
    ],
    ['slack-app', { body: { ok: false, error: 'channel_not_found' } }, { code: 'invalid_target', retryable: false }],
    ['slack-app', { body: { ok: false, error: 'is_archived' } }, { code: 'invalid_target', isGone: true }],
    ['slack-app', { body: { ok: false, error: 'user_disabled' } }, { code: 'invalid_target', isGone: true }],
    ['slack-app', { body: { ok: false, error: 'invalid_auth' } }, { code: 'unauthorized', retryable: false }],
    ['slack-app', { body: { ok: false, error: 'ratelimited' } }, { code: 'rate_limited', retryable: true }],
    ['slack-app', { body: { ok: false, error: 'internal_error' } }, { code: 'unavailable', outcome: 'uncertain' }],
    [
      'matrix',
      { status: 429, body: { errcode: 'M_LIMIT_EXCEEDED', error: 'Too many requests', retry_after_ms: 2_000 } },
      { code: 'rate_limited', retryable: true, retryAfterMs: 2_000 },
    ],
    [
      'matrix',
      { status: 403, body: { errcode: 'M_FORBIDDEN', error: 'not in room' } },
      { code: 'invalid_target', retryable: false },
    ],
    [
      'matrix',
      { status: 401, body: { errcode: 'M_UNKNOWN_TOKEN', error: 'no' } },
      { code: 'unauthorized', retryable: false },
    ],
    ['apprise', { status: 204, body: '' }, { code: 'invalid_target', retryable: false }],
    ['apprise', { status: 424, body: { error: 'One or more failed' } }, { code: 'unavailable', outcome: 'uncertain' }],
  ])('should understand what %s means (%#)', async (id, answer, expected) => {
    server.answer = () => answer;
    await expect(send(id, to('!room'))).rejects.toMatchObject(expected);
  });

  it.each([
    ['telegram', 4_096, 'x'],
    ['ntfy', 2_048, 'é'],
  ])('should refuse a text that %s would cut, and send the longest one', async (id, most, sign) => {
    const longest = sign.repeat(most);
    await send(id, to('1', { content: longest }));
    expect(server.requests).toHaveLength(1);
    const sending = send(id, to('1', { content: `${longest}x` }));
    await expect(sending).rejects.toMatchObject({ code: 'message_incomplete', retryable: false });
    expect(server.requests).toHaveLength(1);
  });

  it.each(['telegram', 'ntfy', 'matrix'])('should say what the subscriber of %s lacks', async (id) => {
    const sending = send(id, { ...BARE });
    await expect(sending).rejects.toMatchObject({
      code: 'message_incomplete',
      message: expect.stringContaining('channel') as string,
    });
    expect(server.requests).toHaveLength(0);
  });

  it('should replace and answer earlier messages', async () => {
    await send('telegram', to('42', { replaces: '42:7' }));
    await send('telegram', to('42', { replyTo: '42:7' }));
    await send('slack-app', to('C1', { replaces: 'C1:150.2' }));
    await send('slack-app', to('C1', { replyTo: 'C1:150.2' }));
    await send('matrix', to('!r:h', { replaces: '$1' }));
    await send('matrix', to('!r:h', { replyTo: '$1' }));
    expect(paths().slice(0, 4)).toEqual([
      'POST /bot123:tg-secret/editMessageText',
      'POST /bot123:tg-secret/sendMessage',
      'POST /chat.update',
      'POST /chat.postMessage',
    ]);
    const text = 'Hello *Ada*';
    expect(bodies()).toEqual([
      { chat_id: '42', message_id: 7, text },
      { chat_id: '42', text, reply_parameters: { message_id: 7, allow_sending_without_reply: true } },
      { channel: 'C1', ts: '150.2', text },
      { channel: 'C1', thread_ts: '150.2', text },
      {
        msgtype: 'm.text',
        body: `* ${text}`,
        'm.new_content': { msgtype: 'm.text', body: text },
        'm.relates_to': { rel_type: 'm.replace', event_id: '$1' },
      },
      {
        msgtype: 'm.text',
        body: text,
        'm.relates_to': {
          rel_type: 'm.thread',
          event_id: '$1',
          is_falling_back: true,
          'm.in_reply_to': { event_id: '$1' },
        },
      },
    ]);
  });

  describe('when people are looked up', () => {
    it('should ask Slack once for an email address, and not at all for an id', async () => {
      server.answer = ({ path }) =>
        path.startsWith('/users') ? { body: { ok: true, user: { id: 'U9' } } } : { body: { ok: true } };
      await send('slack-app', { ...BARE, email: 'eve@example.com' });
      await send('slack-app', { ...BARE, email: 'eve@example.com' });
      await send('slack-app', to('C7', { email: 'eve@example.com' }));
      expect(paths()).toEqual([
        'GET /users.lookupByEmail?email=eve%40example.com',
        'POST /chat.postMessage',
        'POST /chat.postMessage',
        'POST /chat.postMessage',
      ]);
      expect(bodies().slice(1)).toMatchObject([{ channel: 'U9' }, { channel: 'U9' }, { channel: 'C7' }]);
    });

    it('should not call a message unsure whose person Slack does not know', async () => {
      server.answer = () => ({ body: { ok: false, error: 'users_not_found' } });
      const sending = send('slack-app', { ...BARE, email: 'nobody@example.com' });
      await expect(sending).rejects.toMatchObject({ code: 'invalid_target', outcome: 'not_sent' });
    });

    it('should create one direct room in Matrix, and take that of another process', async () => {
      let isThere = false;
      server.answer = ({ method, path }) => {
        if (path.endsWith('/whoami')) return { body: { user_id: '@herald:h.example' } };
        if (path.includes('/directory/')) {
          return isThere
            ? { body: { room_id: '!dm:h.example' } }
            : { status: 404, body: { errcode: 'M_NOT_FOUND', error: 'Room alias not found' } };
        }
        if (method === 'POST') {
          isThere = true;
          return { status: 400, body: { errcode: 'M_ROOM_IN_USE', error: 'Room alias already taken' } };
        }
        return { body: { event_id: '$1' } };
      };
      await send('matrix', to('@ada:h.example'));
      await send('matrix', to('@ada:h.example'));
      const sent = '/rooms/!dm%3Ah.example/send/m.room.message/key-1';
      expect(paths().map((path) => path.replace('/_matrix/client/v3', ''))).toEqual([
        'GET /account/whoami',
        expect.stringMatching(/^GET \/directory\/room\/%23herald-[0-9a-f]{32}%3Ah.example$/),
        'POST /createRoom',
        expect.stringMatching(/^GET \/directory/),
        `PUT ${sent}`,
        `PUT ${sent}`,
      ]);
      expect(bodies()[2]).toMatchObject({ is_direct: true, invite: ['@ada:h.example'] });
    });
  });

  it.each([
    ['slack', { webhookUrl: `${SERVER}/hook` }, { blocks: Array.from({ length: 51 }, () => ({ type: 'divider' })) }],
    ['slack-app', {}, { blocks: Array.from({ length: 51 }, () => ({ type: 'divider' })) }],
    ['msteams', { webhookUrl: `${SERVER}/hook` }, { summary: 'x'.repeat(28 * 1_024) }],
  ])('should refuse before the call what is too much for %s', async (id, address, customData) => {
    const message = { ...to('C1'), ...address, customData };
    await expect(send(id, message)).rejects.toMatchObject({ code: 'message_incomplete' });
  });

  describe('when a subscriber has an address of their own', () => {
    it('should use it instead of that of the integration', async () => {
      const own = (webhookUrl: string): ChatMessage => ({ ...BARE, subscriberCredentials: { webhookUrl } });
      await send('gotify', own(`${server.url}/message?token=own`));
      await send('apprise', own('tgram://1:a/2'));
      await send(
        'chat-webhook',
        { ...own(`${server.url}/own`), rendered: {} },
        { webhookUrl: `${server.url}/general` },
      );
      expect(paths()).toEqual(['POST /message?token=own', 'POST /notify/', 'POST /own']);
      expect(server.requests[0]?.headers['x-gotify-key']).toBeUndefined();
      expect(bodies()[1]).toMatchObject({ urls: 'tgram://1:a/2', type: 'info' });
    });
  });

  describe('when the webhook has templates', () => {
    const hook = (rendered: Record<string, unknown>): Promise<SendResult> =>
      send('chat-webhook', { ...BARE, rendered });
    const keys = { webhookUrl: '', secretKey: '' };

    beforeEach(() => {
      keys.webhookUrl = `${server.url}/hook`;
    });

    it('should send what they say', async () => {
      await hookWith({
        method: 'put',
        headers: { 'X-Room': 'a\r\nb', authorization: 'Basic x' },
        body: { text: 'Hi' },
      });
      await hookWith({ body: 'text=Hi', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } });
      await hookWith({ method: 'GET', body: 'ignored' });
      const [put, post, get] = server.requests;
      expect([put?.method, put?.headers['x-room'], put?.headers.authorization]).toEqual(['PUT', 'a b', 'Basic x']);
      expect(put?.headers['content-type']).toBe('application/json');
      expect(JSON.parse(put?.body.toString() ?? '')).toEqual({ text: 'Hi' });
      expect([post?.body.toString(), post?.headers['content-type']]).toEqual([
        'text=Hi',
        'application/x-www-form-urlencoded',
      ]);
      expect([get?.method, get?.body.length]).toEqual(['GET', 0]);
    });

    const hookWith = (rendered: Record<string, unknown>): Promise<SendResult> =>
      send('chat-webhook', { ...BARE, rendered }, { ...keys });

    it.each([
      [{ method: 'TRACE' }, 'credentials.method'],
      [{ headers: { 'Webhook-Signature': 'v1,x' } }, 'webhook-signature'],
      [{ headers: { 'a b': 'x' } }, 'a b'],
    ])('should refuse %j', async (rendered, words) => {
      await expect(hook(rendered)).rejects.toMatchObject({
        code: 'credentials_incomplete',
        message: expect.stringContaining(words) as string,
      });
      expect(server.requests).toHaveLength(0);
    });

    it('should hide the values of its headers', async () => {
      server.answer = () => ({ status: 400, body: { message: 'echo token-of-header' } });
      const credentials = { webhookUrl: `${server.url}/hook`, headers: { 'x-key': 'token-of-header' } };
      const sending = send('chat-webhook', { ...BARE, rendered: { headers: credentials.headers } }, credentials);
      await expect(sending).rejects.toMatchObject({
        message: expect.not.stringContaining('token-of-header') as string,
      });
    });
  });

  it.each(['ntfy', 'gotify', 'matrix', 'apprise', 'chat-webhook'])(
    'should not let %s reach private addresses unless they are allowed',
    async (id) => {
      const guarded = createChannelRegistry({ allowPrivateUrls: false });
      const credentials = { baseUrl: server.url, token: 'token', webhookUrl: `${server.url}/hook` };
      const message = to(id === 'matrix' ? '#alias:h' : 'topic', { rendered: {} });
      const sending = guarded.send('chat', id, message, { credentials, idempotencyKey: 'k' });
      await expect(sending).rejects.toMatchObject({ code: 'url_not_allowed', retryable: false });
      expect(server.requests).toHaveLength(0);
      await guarded.close();
    },
  );
});
