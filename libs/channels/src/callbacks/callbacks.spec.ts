import { createHmac } from 'node:crypto';
import { jest } from '@jest/globals';
import { createChannelRegistry, type CallbackEvent, type Channel } from '../index.js';
import { CALLBACK_CASES as CASES, NOW_S, callbackRequest as request, mailgunBody } from '../../test/callback-cases.js';

describe('provider callbacks', () => {
  const registry = createChannelRegistry({ allowPrivateUrls: false });
  const callbackOf = (id: string, channel: Channel = 'email') => {
    const callback = registry.get(channel, id)?.callback;
    if (!callback) throw new Error(`no callback of ${id}`);
    return callback;
  };

  beforeEach(() => {
    jest.spyOn(Date, 'now').mockReturnValue(NOW_S * 1_000);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  afterAll(() => registry.close());

  describe.each(CASES)('$id', ({ id, channel, credentials, body, signed, events }) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const callback = callbackOf(id, channel);

    it('should accept what the provider signed and read its events', async () => {
      const good = request({ body: text, ...signed(text) });
      expect(await callback.verify(good, credentials)).toBe(true);
      expect(callback.parse(good)).toEqual(events);
    });

    it('should refuse other secrets, and none', async () => {
      const good = request({ body: text, ...signed(text) });
      const wrong = Object.fromEntries(Object.keys(credentials).map((key) => [key, 'another-secret']));
      expect(await callback.verify(good, wrong)).toBe(false);
      expect(await callback.verify(good, {})).toBe(false);
    });

    it('should refuse a request without signature, and nonsense', async () => {
      const bare = id === 'mailgun' ? text.replace(/"signature":"[^"]*"/, '"signature":"00"') : text;
      expect(await callback.verify(request({ body: bare }), credentials)).toBe(false);
      expect(await callback.verify(request({ body: '\0' }), credentials)).toBe(false);
    });

    it('should say that it cannot read a body of another kind', () => {
      if (id === 'twilio') expect(callback.parse(request({ body: '{}' }))).toEqual([]);
      else expect(() => callback.parse(request({ body: '<html>' }))).toThrow(/cannot be read/);
    });
  });

  describe.each(
    CASES.filter(({ id }) =>
      ['sendgrid', 'resend', 'mailersend', 'mandrill', 'twilio', 'telnyx', 'slack-app', 'discord'].includes(id),
    ),
  )('$id', ({ id, channel, credentials, body, signed }) => {
    it('should notice that the body was changed', async () => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const changed = request({ ...signed(text), body: `${text}&x=1` });
      expect(await callbackOf(id, channel).verify(changed, credentials)).toBe(false);
    });
  });

  describe.each(CASES.filter(({ id }) => ['resend', 'telnyx'].includes(id)))(
    '$id',
    ({ id, channel, credentials, body, signed }) => {
      it('should refuse a request that is repeated later', async () => {
        const text = JSON.stringify(body);
        jest.spyOn(Date, 'now').mockReturnValue((NOW_S + 301) * 1_000);
        expect(await callbackOf(id, channel).verify(request({ body: text, ...signed(text) }), credentials)).toBe(false);
      });
    },
  );

  describe('with the values that the providers publish', () => {
    it('should verify the example of SendGrid', async () => {
      jest.spyOn(Date, 'now').mockReturnValue(1_588_788_367_000);
      const key =
        'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEEDr2LjtURuePQzplybdC+u4CwrqDqBaWjcMMsTbhdbcwHBcepxo7yAQGhHPTnlvFYPAZFceEu/1FwCM/QmGUhA==';
      const example = request({
        body: { category: 'example_payload', event: 'test_event', message_id: 'message_id' },
        headers: {
          'x-twilio-email-event-webhook-timestamp': '1588788367',
          'x-twilio-email-event-webhook-signature':
            'MEUCIQCtIHJeH93Y+qpYeWrySphQgpNGNr/U+UyUlBkU6n7RAwIgJTz2C+8a8xonZGi6BpSzoQsbVRamr2nlxFDWYNH2j/0=',
        },
      });
      expect(await callbackOf('sendgrid').verify(example, { callbackSecret: key })).toBe(true);
    });

    it('should verify the example of Twilio', async () => {
      const example = request({
        url: 'https://mycompany.com/myapp.php?foo=1&bar=2',
        body: 'CallSid=CA1234567890ABCDE&Caller=%2B12349013030&Digits=1234&From=%2B12349013030&To=%2B18005551212',
        headers: { 'x-twilio-signature': '0/KCTR6DLpKmkAf8muzZqo1nDgQ=' },
      });
      expect(await callbackOf('twilio', 'sms').verify(example, { token: '12345' })).toBe(true);
    });

    it.each([
      [
        'its URL with a port that was not signed',
        'https://herald.example:8443/cb?x=1',
        'https://herald.example/cb?x=1',
        'sha1',
      ],
      [
        'its URL without the port that was signed',
        'https://herald.example/cb',
        'https://herald.example:443/cb',
        'sha1',
      ],
      ['a shared key', 'http://[::1]/cb', 'http://[::1]:80/cb', 'sha256'],
    ])('should verify what Twilio signs with %s', async (_what, url, signedUrl, algorithm) => {
      const signed = `${signedUrl}MediaUrlaMediaUrlbTo+1`;
      const signature = createHmac(algorithm, 'secret').update(signed).digest('base64');
      const settings = { 'x-twilio-webhooks-signature-settings': 'key=k1,algorithm=HMAC_SHA256' };
      const headers = { 'x-twilio-signature': signature, ...(algorithm === 'sha256' && settings) };
      const called = request({ url, body: 'To=%2B1&MediaUrl=b&MediaUrl=a&MediaUrl=b', headers });
      const { verify } = callbackOf('twilio', 'sms');
      const credentials = algorithm === 'sha1' ? { token: 'secret' } : { token: 'another', callbackSecret: 'secret' };
      expect(await verify(called, credentials)).toBe(true);
      expect(await verify({ ...called, url: `${url}&y=2` }, credentials)).toBe(false);
      const unknown = { ...headers, 'x-twilio-webhooks-signature-settings': 'algorithm=constructor' };
      expect(await verify({ ...called, headers: unknown }, credentials)).toBe(false);
    });

    it('should verify the example of Svix', async () => {
      jest.spyOn(Date, 'now').mockReturnValue(1_614_265_330_000);
      const example = request({
        body: '{"test": 2432232314}',
        headers: {
          'svix-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
          'svix-timestamp': '1614265330',
          'svix-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
        },
      });
      const credentials = { callbackSecret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' };
      expect(await callbackOf('resend').verify(example, credentials)).toBe(true);
    });
  });

  describe.each([
    ['sendgrid', 25],
    ['mailgun', 9],
  ])('%s', (id, hours) => {
    it('should be taken as long as the provider repeats it, and no longer', async () => {
      const { credentials, body, signed } = CASES.find((one) => one.id === id) as (typeof CASES)[number];
      const text = JSON.stringify(body);
      const verifyAt = (seconds: number): boolean | Promise<boolean> => {
        jest.spyOn(Date, 'now').mockReturnValue(seconds * 1_000);
        return callbackOf(id).verify(request({ body: text, ...signed(text) }), credentials);
      };
      expect(await verifyAt(NOW_S + hours * 3_600)).toBe(true);
      expect(await verifyAt(NOW_S + hours * 3_600 + 1)).toBe(false);
      expect(await verifyAt(NOW_S - 301)).toBe(false);
    });
  });

  describe('mailgun', () => {
    const signedBy = (key: string, timestamp: string, token: string): object => ({
      signature: {
        timestamp,
        token,
        signature: createHmac('sha256', key)
          .update(timestamp + token)
          .digest('hex'),
      },
      'event-data': { event: 'delivered' },
    });
    const isTaken = (body: object, credentials: object): boolean | Promise<boolean> =>
      callbackOf('mailgun').verify(request({ body }), { ...credentials });

    it('should not take the API key for the signing key', async () => {
      const body = signedBy('api-key', String(NOW_S), 't');
      expect(await isTaken(body, { callbackSecret: 'api-key' })).toBe(true);
      expect(await isTaken(body, { apiKey: 'api-key' })).toBe(false);
    });

    it('should not let digits move between timestamp and token', async () => {
      const credentials = { callbackSecret: 'k' };
      const { signature } = signedBy('k', String(NOW_S), '5rest') as { signature: Record<string, string> };
      const moved = { ...signature, timestamp: `${NOW_S}5`, token: 'rest' };
      expect(await isTaken({ signature }, credentials)).toBe(true);
      expect(await isTaken({ signature: moved }, credentials)).toBe(false);
    });

    it('should tell a passing failure and a final one that is not about the address', () => {
      const parse = (event: object): CallbackEvent[] =>
        callbackOf('mailgun').parse(request({ body: mailgunBody(event) }));
      expect(parse({ event: 'failed', severity: 'temporary' })).toMatchObject([{ status: 'deferred' }]);
      const [generic] = parse({ event: 'failed', severity: 'permanent', reason: 'generic' });
      expect(generic).toMatchObject({ status: 'bounced' });
      expect(generic).not.toHaveProperty('hardBounce');
    });
  });

  describe('postmark', () => {
    it.each([
      [{ RecordType: 'SubscriptionChange', SuppressSending: true, MessageID: '1' }, 'unsubscribed'],
      [{ RecordType: 'Bounce', Type: 'Blocked', MessageID: '1' }, 'blocked'],
      [{ RecordType: 'Open', MessageID: '1' }, 'opened'],
    ])('should read %o as %s', (body, status) => {
      expect(callbackOf('postmark').parse(request({ body }))).toEqual([{ messageIdentifier: '1', status }]);
    });

    it('should leave out that somebody subscribed again', () => {
      const body = { RecordType: 'SubscriptionChange', SuppressSending: false, MessageID: '1' };
      expect(callbackOf('postmark').parse(request({ body }))).toEqual([]);
    });
  });
});
