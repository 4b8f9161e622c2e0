import { createChannelRegistry, type Channel, type OutboundMessage } from '../index.js';
import { ANSWER_CASES, AWS } from '../../test/answer-cases.js';
import { DOCUMENTED_ERRORS } from '../../test/documented-errors.js';
import { REFUSALS_WITH_SUCCESS } from '../../test/refusal-cases.js';
import { CHAT, EMAIL, PUSH, SERVER, SMS } from '../../test/provider-case.js';
import { startRecordingServer, type RecordedRequest, type RecordingServer } from '../../test/recording-server.js';

const MESSAGES: Record<string, OutboundMessage> = { email: EMAIL, sms: SMS, chat: CHAT, push: PUSH };
const TWO = { ...PUSH, target: ['token-1', 'token-2'] };

describe('answers of providers', () => {
  let server: RecordingServer;
  const registry = createChannelRegistry({ allowPrivateUrls: true });

  beforeAll(async () => {
    server = await startRecordingServer();
  });
  afterAll(async () => {
    await registry.close();
    await server.close();
  });

  const send = (
    id: string,
    channel: Channel,
    credentials: Record<string, unknown>,
    message: OutboundMessage,
    baseUrl?: string,
  ) =>
    registry.send(
      channel,
      id,
      message.channel === 'chat' && message.webhookUrl
        ? { ...message, webhookUrl: message.webhookUrl.replace(SERVER, server.url) }
        : message,
      {
        credentials,
        idempotencyKey: 'k',
        ...(baseUrl === undefined ? {} : { baseUrl }),
      },
    );

  it.each([...ANSWER_CASES, ...REFUSALS_WITH_SUCCESS, ...DOCUMENTED_ERRORS].map((row) => ({ row, id: row[0] })))(
    'should understand what $id means (%#)',
    async ({ row: [id, channel, credentials, answer, expected, message] }) => {
      server.answer = () => answer;
      const sent = message ?? MESSAGES[channel] ?? SMS;
      // Bad host parts show only without an override.
      const baseUrl = expected['code'] === 'credentials_incomplete' ? undefined : server.url;
      await expect(send(id, channel, credentials, sent, baseUrl)).rejects.toMatchObject({
        name: 'ProviderError',
        ...expected,
      });
    },
  );

  describe('when only a part was refused', () => {
    it.each<[string, Channel, Record<string, unknown>, unknown]>([
      ['nexmo', 'sms', { apiKey: 'k', secretKey: 's' }, { messages: [{ status: '1' }, { status: '0' }] }],
      [
        'infobip-email',
        'email',
        { apiKey: 'k', baseUrl: 'b' },
        { messages: [{ status: { groupName: 'REJECTED' } }, { status: { groupName: 'PENDING' } }] },
      ],
      ['mandrill', 'email', { apiKey: 'k' }, [{ status: 'rejected' }, { status: 'sent' }]],
    ])('should count the message of %s as sent', async (id, channel, credentials, body) => {
      server.answer = () => ({ body });
      await expect(send(id, channel, credentials, MESSAGES[channel] ?? SMS, server.url)).resolves.toHaveProperty('raw');
    });
  });

  describe('when some targets of a push message are dead', () => {
    it.each([
      [
        'expo',
        { apiKey: 'k' },
        {
          data: [
            { status: 'ok', id: 'x1' },
            { status: 'error', details: { error: 'DeviceNotRegistered' } },
          ],
        },
      ],
      [
        'one-signal',
        { applicationId: 'a', apiKey: 'k' },
        { id: 'x1', errors: { invalid_subscription_ids: ['token-2'] } },
      ],
    ])('should name them beside the success of %s', async (id, credentials, body) => {
      server.answer = () => ({ body });
      await expect(send(id, 'push', credentials, TWO, server.url)).resolves.toMatchObject({
        id: 'x1',
        invalidTokens: ['token-2'],
      });
    });
  });

  describe('when a text needs the Unicode alphabet', () => {
    it('should tell nexmo', async () => {
      server.requests.splice(0);
      server.answer = () => ({ body: { messages: [{ status: '0', 'message-id': '1' }] } });
      await send('nexmo', 'sms', { apiKey: 'k', secretKey: 's' }, { ...SMS, content: 'Привет ✓' }, server.url);
      expect(new URLSearchParams(server.requests[0]?.body.toString()).get('type')).toBe('unicode');
    });
  });

  describe('when twilio sends through a messaging service', () => {
    it('should name the service instead of a number', async () => {
      server.requests.splice(0);
      server.answer = () => ({ body: { sid: '1' } });
      await send('twilio', 'sms', { accountSid: 'A', token: 't' }, { ...SMS, from: 'MG123' }, server.url);
      const form = new URLSearchParams(server.requests[0]?.body.toString());
      expect([form.get('MessagingServiceSid'), form.get('From')]).toEqual(['MG123', null]);
    });
  });

  describe('when whatsapp-business gets another kind of message', () => {
    const WHATSAPP = { apiToken: 't', phoneNumberIdentification: '1' };
    const template = { name: 'hello', language: { code: 'en' } };
    const head = { messaging_product: 'whatsapp', recipient_type: 'individual', to: '1' };

    it.each([
      [{ template }, { type: 'template', template }],
      [
        { type: 'template', template },
        { type: 'template', template },
      ],
      [{ image: { link: 'https://x.example/a' } }, { type: 'image', image: { link: 'https://x.example/a' } }],
      [{ text: { preview_url: true } }, { type: 'text', text: { preview_url: true, body: 'Hello *Ada*' } }],
      [{ context: { message_id: '2' } }, { type: 'text', context: { message_id: '2' }, text: expect.anything() }],
    ])('should name the kind of %j', async (customData, expected) => {
      server.requests.splice(0);
      server.answer = () => ({ body: { messages: [{ id: '1' }] } });
      await send('whatsapp-business', 'chat', WHATSAPP, { ...CHAT, phone: '+1', customData }, server.url);
      expect(JSON.parse(server.requests[0]?.body.toString() ?? '')).toEqual({ ...head, ...expected });
    });
  });

  describe('when one-signal is used with a key or overrides of another time', () => {
    const push = async (apiKey: string, overrides?: Record<string, unknown>): Promise<RecordedRequest | undefined> => {
      server.requests.splice(0);
      server.answer = () => ({ body: { id: '1' } });
      const message = { ...PUSH, ...(overrides && { overrides }) };
      await send('one-signal', 'push', { applicationId: 'a', apiKey }, message, server.url);
      return server.requests[0];
    };

    it('should choose the scheme by the key', async () => {
      expect((await push('os_v2_app_x'))?.headers.authorization).toBe('Key os_v2_app_x');
      expect((await push('NGEwMGZm'))?.headers.authorization).toBe('Basic NGEwMGZm');
    });

    it('should understand the names that all push providers share', async () => {
      const request = await push('os_v2_app_x', {
        sound: 'a',
        channelId: 'c',
        subtitle: 's',
        ios_badgeType: 'Increase',
      });
      expect(JSON.parse(request?.body.toString() ?? '')).toMatchObject({
        ios_sound: 'a',
        android_sound: 'a',
        android_channel_id: 'c',
        subtitle: { en: 's' },
        ios_badgeType: 'Increase',
      });
    });
  });

  describe('when the name of a sender is not ASCII', () => {
    it('should give ses encoded words, none too long and no character cut', async () => {
      server.requests.splice(0);
      server.answer = () => ({ body: { MessageId: '1' } });
      const senderName = 'Zażółć gęślą jaźń, 日本語のとても長い差出人の名前です ✓';
      await send('ses', 'email', AWS, { ...EMAIL, senderName }, server.url);
      const { FromEmailAddress: from } = JSON.parse(server.requests[0]?.body.toString() ?? '') as {
        FromEmailAddress: string;
      };
      const words = [...from.matchAll(/=\?UTF-8\?B\?([^?]+)\?=/g)];
      expect(from).toMatch(/^(=\?UTF-8\?B\?[A-Za-z0-9+/=]+\?= )+<news@herald\.example>$/);
      expect(Math.max(...words.map(([word]) => word.length))).toBeLessThanOrEqual(75);
      expect(words.map(([, base64 = '']) => Buffer.from(base64, 'base64').toString()).join('')).toBe(senderName);
    });
  });

  describe('when generic-sms fetches a token first', () => {
    const credentials = (): Record<string, unknown> => ({
      baseUrl: `${server.url}/send`,
      domain: `${server.url}/login`,
      apiKeyRequestHeader: 'x-key',
      apiKey: 'gs-secret',
      idPath: 'id',
      authenticateByToken: true,
      authenticationTokenKey: 'x-token',
    });

    it('should send with the token', async () => {
      server.requests.splice(0);
      server.answer = ({ path }) =>
        path === '/login' ? { body: { data: { 'x-token': 'T1' } } } : { body: { id: '9' } };
      await expect(send('generic-sms', 'sms', credentials(), SMS)).resolves.toMatchObject({ id: '9' });
      expect(server.requests.map(({ path, headers }) => [path, headers['x-key'], headers['x-token']])).toEqual([
        ['/login', 'gs-secret', undefined],
        ['/send', undefined, 'T1'],
      ]);
    });

    it('should not call a message unsure whose token could not be fetched', async () => {
      server.answer = ({ path }) => (path === '/login' ? { breaksOff: 'before' } : { body: { id: '9' } });
      const sending = send('generic-sms', 'sms', credentials(), SMS);
      await expect(sending).rejects.toMatchObject({ code: 'unreachable', outcome: 'not_sent' });
    });

    it('should say that there was no token', async () => {
      server.answer = () => ({ status: 403, body: {} });
      await expect(send('generic-sms', 'sms', credentials(), SMS)).rejects.toMatchObject({ code: 'unauthorized' });
    });
  });

  describe('when a restricted key is checked', () => {
    it.each([
      ['resend', { apiKey: 'k' }, { status: 401, body: { name: 'restricted_api_key', message: 'only send' } }],
      ['ses', AWS, { status: 403, headers: { 'x-amzn-errortype': 'AccessDeniedException' }, body: {} }],
    ])('should take the refusal of %s as a proof of the key', async (id, credentials, answer) => {
      server.answer = () => answer;
      const local = createChannelRegistry({ allowPrivateUrls: true, baseUrls: { [id]: server.url } });
      await expect(local.check('email', id, credentials)).resolves.toBeUndefined();
      await local.close();
    });
  });

  describe('when private addresses are not allowed', () => {
    it.each([
      ['slack', CHAT, {}],
      ['rocket-chat', CHAT, { token: 't', user: 'u' }],
      ['push-webhook', PUSH, { webhookUrl: SERVER, secretKey: 's' }],
      ['email-webhook', EMAIL, { webhookUrl: SERVER, secretKey: 's' }],
      ['generic-sms', SMS, { baseUrl: SERVER, apiKeyRequestHeader: 'x', apiKey: 'k', idPath: 'id' }],
      ['infobip-sms', SMS, { baseUrl: SERVER, apiKey: 'k' }],
      ['mailgun', EMAIL, { baseUrl: SERVER, apiKey: 'k', user: 'api', domain: 'd' }],
    ])('should not let %s reach them', async (id, message, credentials) => {
      server.requests.splice(0);
      server.answer = () => ({ body: {} });
      const guarded = createChannelRegistry({ allowPrivateUrls: false });
      const local = Object.fromEntries(
        Object.entries(credentials).map(([key, value]) => [key, value.replace(SERVER, server.url)]),
      );
      const target = message.channel === 'chat' ? { ...message, webhookUrl: server.url } : message;
      const sending = guarded.send(message.channel, id, target, { credentials: local, idempotencyKey: 'k' });
      await expect(sending).rejects.toMatchObject({ code: 'url_not_allowed', retryable: false });
      expect(server.requests).toHaveLength(0);
      await guarded.close();
    });
  });
});
