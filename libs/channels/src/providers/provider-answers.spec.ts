import { createChannelRegistry, type Channel, type OutboundMessage } from '../index.js';
import { CHAT, EMAIL, PUSH, SERVER, SMS } from '../../test/provider-case.js';
import { startRecordingServer, type CannedAnswer, type RecordingServer } from '../../test/recording-server.js';

const MESSAGES: Record<string, OutboundMessage> = { email: EMAIL, sms: SMS, chat: CHAT, push: PUSH };
const AWS = { apiKey: 'AKID', secretKey: 'aws-secret', region: 'eu-west-1' };
const TWO = { ...PUSH, target: ['token-1', 'token-2'] };

/** Answers whose meaning is not their status. */
const ANSWERS: [string, Channel, Record<string, unknown>, CannedAnswer, Record<string, unknown>, OutboundMessage?][] = [
  [
    'nexmo',
    'sms',
    { apiKey: 'k', secretKey: 's' },
    { body: { messages: [{ status: '1', 'error-text': 'Throttled' }] } },
    { code: 'rate_limited', retryable: true },
  ],
  [
    'nexmo',
    'sms',
    { apiKey: 'k', secretKey: 's' },
    { body: { messages: [{ status: '4', 'error-text': 'Bad Credentials' }] } },
    { code: 'unauthorized', retryable: false },
  ],
  [
    'nexmo',
    'sms',
    { apiKey: 'k', secretKey: 's' },
    { body: { messages: [{ status: '5', 'error-text': 'Internal Error' }] } },
    { code: 'unavailable', retryable: true },
  ],
  [
    'nexmo',
    'sms',
    { apiKey: 'k', secretKey: 's' },
    { body: { messages: [{ status: '6', 'error-text': 'Invalid Message' }] } },
    { code: 'rejected', retryable: false },
  ],
  [
    'infobip-sms',
    'sms',
    { apiKey: 'k', baseUrl: 'b' },
    { body: { messages: [{ messageId: '1', status: { groupName: 'REJECTED', description: 'No route' } }] } },
    { code: 'rejected', retryable: false },
  ],
  [
    'mailjet',
    'email',
    { apiKey: 'k', secretKey: 's' },
    { body: { Messages: [{ Status: 'error', Errors: [{ ErrorMessage: 'bad' }] }] } },
    { code: 'rejected', retryable: false },
  ],
  [
    'mandrill',
    'email',
    { apiKey: 'k' },
    { status: 500, body: { status: 'error', name: 'Invalid_Key', message: 'Invalid API key' } },
    { code: 'unauthorized', retryable: false },
  ],
  [
    'mandrill',
    'email',
    { apiKey: 'k' },
    { status: 500, body: { status: 'error', name: 'GeneralError', message: 'oops' } },
    { code: 'unavailable', retryable: true },
  ],
  [
    'mandrill',
    'email',
    { apiKey: 'k' },
    { body: [{ status: 'rejected', reject_reason: 'hard-bounce', _id: '1' }] },
    { code: 'rejected', retryable: false },
  ],
  [
    'postmark',
    'email',
    { apiKey: 'k' },
    { body: { ErrorCode: 406, Message: 'Inactive' } },
    { code: 'rejected', retryable: false },
  ],
  [
    'sparkpost',
    'email',
    { apiKey: 'k' },
    { status: 420, body: { errors: [{ message: 'Exceed Sending Limit' }] } },
    { code: 'unavailable', retryable: true },
  ],
  [
    'resend',
    'email',
    { apiKey: 'k' },
    { status: 409, body: { name: 'concurrent_idempotent_requests', message: 'busy' } },
    { code: 'unavailable', retryable: true },
  ],
  [
    'resend',
    'email',
    { apiKey: 'k' },
    { status: 409, body: { name: 'invalid_idempotent_request', message: 'other body' } },
    { code: 'rejected', retryable: false },
  ],
  [
    'ses',
    'email',
    AWS,
    { status: 400, headers: { 'x-amzn-errortype': 'ThrottlingException:http://x' }, body: {} },
    { code: 'rate_limited', retryable: true },
  ],
  [
    'ses',
    'email',
    AWS,
    { status: 400, headers: { 'x-amzn-errortype': 'MessageRejected' }, body: { message: 'no' } },
    { code: 'rejected', retryable: false },
  ],
  [
    'sns',
    'sms',
    AWS,
    {
      status: 400,
      body: '<ErrorResponse><Error><Code>Throttling</Code><Message>Rate exceeded</Message></Error></ErrorResponse>',
    },
    { code: 'rate_limited', retryable: true },
  ],
  [
    'sns',
    'sms',
    AWS,
    {
      status: 403,
      body: '<ErrorResponse><Error><Code>SignatureDoesNotMatch</Code><Message>no</Message></Error></ErrorResponse>',
    },
    { code: 'unauthorized', retryable: false },
  ],
  [
    'ses',
    'email',
    { ...AWS, region: 'evil.example/' },
    { body: {} },
    { code: 'credentials_incomplete', retryable: false },
  ],
  [
    'zulip',
    'chat',
    {},
    { body: { result: 'error', msg: 'Stream does not exist' } },
    { code: 'rejected', retryable: false },
  ],
  [
    'rocket-chat',
    'chat',
    { token: 't', user: 'u' },
    { body: { success: false, error: 'not-allowed' } },
    { code: 'rejected', retryable: false },
  ],
  [
    'msteams',
    'chat',
    {},
    { body: 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429' },
    { code: 'rate_limited', retryable: true },
  ],
  [
    'msteams',
    'chat',
    {},
    { body: 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 503' },
    { code: 'unavailable', retryable: true },
  ],
  [
    'whatsapp-business',
    'chat',
    { apiToken: 't', phoneNumberIdentification: '1' },
    { status: 400, body: { error: { code: 130429, message: 'Rate limit hit' } } },
    { code: 'rate_limited', retryable: true },
    { ...CHAT, phone: '1' },
  ],
  [
    'whatsapp-business',
    'chat',
    { apiToken: 't', phoneNumberIdentification: '1' },
    { status: 400, body: { error: { code: 131026, message: 'Undeliverable' } } },
    { code: 'invalid_target', retryable: false },
    { ...CHAT, phone: '1' },
  ],
  [
    'whatsapp-business',
    'chat',
    { apiToken: 't', phoneNumberIdentification: '1' },
    { body: {} },
    { code: 'message_incomplete', retryable: false },
  ],
  [
    'slack',
    'chat',
    {},
    { body: 'ok' },
    { code: 'message_incomplete', retryable: false },
    { channel: 'chat', id: 'm', content: 'x' },
  ],
  ['slack', 'chat', {}, { status: 404, body: 'no_service' }, { code: 'rejected', retryable: false }],
  [
    'expo',
    'push',
    { apiKey: 'k' },
    { body: { data: [{ status: 'error', message: 'gone', details: { error: 'DeviceNotRegistered' } }] } },
    { code: 'invalid_target', retryable: false, invalidTokens: ['token-1'] },
  ],
  [
    'expo',
    'push',
    { apiKey: 'k' },
    { body: { data: [{ status: 'error', message: 'slow', details: { error: 'MessageRateExceeded' } }] } },
    { code: 'rate_limited', retryable: true },
  ],
  [
    'expo',
    'push',
    { apiKey: 'k' },
    { body: { data: [{ status: 'error', message: 'no', details: { error: 'InvalidCredentials' } }] } },
    { code: 'unauthorized', retryable: false },
  ],
  [
    'one-signal',
    'push',
    { applicationId: 'a', apiKey: 'k' },
    { body: { id: '', errors: ['All included players are not subscribed'] } },
    { code: 'invalid_target', retryable: false },
  ],
  [
    'one-signal',
    'push',
    { applicationId: 'a', apiKey: 'k' },
    { body: { id: '', errors: { invalid_player_ids: ['token-1'] } } },
    { code: 'invalid_target', invalidTokens: ['token-1'] },
  ],
  [
    'pusher-beams',
    'push',
    { instanceId: 'a.evil.example', secretKey: 'k' },
    { body: {} },
    { code: 'credentials_incomplete' },
  ],
];

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

  it.each(ANSWERS.map((row) => ({ row, id: row[0] })))(
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

  describe('when there are more targets than a request takes', () => {
    it('should send several requests and sum them up', async () => {
      server.requests.splice(0);
      const target = Array.from({ length: 250 }, (_value, index) => `token-${index}`);
      server.answer = ({ body }) => {
        const messages = JSON.parse(body.toString()) as unknown[];
        if (server.requests.length === 2) return { status: 503, body: {} };
        return { body: { data: messages.map(() => ({ status: 'ok', id: `part-${server.requests.length}` })) } };
      };
      const result = await send('expo', 'push', { apiKey: 'k' }, { ...PUSH, target }, server.url);
      expect(server.requests).toHaveLength(3);
      expect(result.id).toBe('part-1');
      expect(result.raw).toMatchObject({ failed: [{ code: 'unavailable' }] });
    });

    it('should fail when no request was accepted, with the failure that can pass', async () => {
      const target = Array.from({ length: 150 }, (_value, index) => `token-${index}`);
      server.requests.splice(0);
      server.answer = () => (server.requests.length === 1 ? { status: 400, body: {} } : { status: 503, body: {} });
      const sending = send('expo', 'push', { apiKey: 'k' }, { ...PUSH, target }, server.url);
      await expect(sending).rejects.toMatchObject({ code: 'unavailable', retryable: true });
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
