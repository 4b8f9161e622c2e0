import type { TestSession } from '../harness/index.js';
import { createWorkflow, messagesOf, notificationOf, trigger } from '../support/delivery.js';
import { type DeliveryApi, startDeliveryApi } from '../support/delivery-api.js';
import { dataOf } from '../support/answers.js';
import { type Answer, json, useProviderSink } from '../support/provider-sink.js';

describe('answers of providers', () => {
  let delivery: DeliveryApi;
  let session: TestSession;
  const sink = useProviderSink();
  let settings: Record<string, string>;

  beforeAll(async () => {
    settings = {
      DELIVERY_MAX_ATTEMPTS: '2',
      DELIVERY_TIMEOUT_MS: '120000',
      PROVIDER_BASE_URLS: ['sendgrid', 'resend', 'twilio', 'expo'].map((id) => `${id}=${sink.url}/${id}`).join(','),
    };
    delivery = await startDeliveryApi('answers', settings);
  });
  beforeEach(async () => {
    session = await delivery.api.session();
  });
  afterAll(() => delivery.api.close());

  const SENDER = { from: 'a@b.example', senderName: 'A' };
  const CREDENTIALS = {
    sendgrid: ['email', { ...SENDER, apiKey: 'SG.key' }],
    resend: ['email', { ...SENDER, apiKey: 're_key' }],
    twilio: ['sms', { accountSid: 'AC1', token: 'secret-token', from: '+15550100' }],
    expo: ['push', { apiKey: 'ex-key' }],
  } as const;

  const integrate = async (providerId: keyof typeof CREDENTIALS): Promise<string> => {
    const [channel, credentials] = CREDENTIALS[providerId];
    return (
      await dataOf<{ _id: string }>(
        session.post('/v1/integrations', { providerId, channel, active: true, check: false, credentials }),
        201,
      )
    )._id;
  };

  const sms = { template: { type: 'sms', content: 'Hello' } };
  const mail = { template: { type: 'email', subject: 'Hi', content: '<p>Hello</p>', contentType: 'customHtml' } };
  const to = { subscriberId: 'ann', email: 'ann@example.com', phone: '+15550111' };

  const run = async (step: typeof sms | typeof mail, ms?: number): Promise<string> => {
    const { identifier } = await createWorkflow(session, [step]);
    const id = await trigger(session, { name: identifier, to });
    await delivery.drain(ms);
    return id;
  };

  describe('that are final', () => {
    it.each([
      ['a refusal', json(400, { message: 'bad number' }), 'bad number'],
      ['refused credentials', json(401, { message: 'Authenticate' }), 'Authenticate'],
      ['a redirect', json(302, {}, { location: 'http://127.0.0.1:1/' }), 'HTTP 302'],
    ])('should end the step with the reason: %s', async (_name, answer, words) => {
      await integrate('twilio');
      sink.answer = answer;
      const id = await run(sms, 600_000);
      expect(sink.requests).toHaveLength(1);
      const [message] = await messagesOf(session, id);
      expect(message).toMatchObject({ status: 'error', errorId: 'unexpected_sms_error' });
      expect(message?.errorText).toContain(words);
      const { jobs, status } = await notificationOf(session, id);
      expect(status).toBe('failed');
      expect(jobs).toMatchObject([{ status: 'failed', reason: 'provider', deadLetter: true }]);
      expect(jobs[0]?.executionDetails.at(-1)).toMatchObject({ detail: 'Unexpected provider error', status: 'Failed' });
      expect(JSON.stringify(jobs)).not.toContain('secret-token');
    });
  });

  describe('that can pass', () => {
    it.each([
      ['a fault of the server', json(500, { message: 'oops' })],
      [
        'a fault with an endless page',
        ((_path, _body, response) => void response.writeHead(503).end('x'.repeat(3_000_000))) satisfies Answer,
      ],
      ['a rate limit', json(429, {}, { 'retry-after': '1' })],
    ])('should be tried until the attempts are used up: %s', async (_name, answer) => {
      await integrate('twilio');
      sink.answer = answer;
      const id = await run(sms, 600_000);
      expect(sink.requests).toHaveLength(2);
      expect(await messagesOf(session, id)).toMatchObject([{ status: 'error' }]);
      const { jobs } = await notificationOf(session, id);
      expect(jobs).toMatchObject([{ status: 'failed', deadLetter: true }]);
      const tries = jobs[0]?.executionDetails.filter(({ detail }) => detail === 'Unexpected provider error');
      expect(tries?.map(({ status }) => status)).toEqual(['Warning', 'Failed']);
    });

    it.each([
      ['seconds', () => '120'],
      ['a date', () => new Date(delivery.clock.now().getTime() + 120_000).toUTCString()],
    ])('should wait as long as a rate limit says in %s', async (_name, retryAfter) => {
      await integrate('twilio');
      sink.answer = json(429, {}, { 'retry-after': retryAfter() });
      const id = await run(sms, 110_000);
      expect(sink.requests).toHaveLength(1);
      sink.answer = json(201, { sid: 'SM1' });
      await delivery.drain(30_000);
      expect(sink.requests).toHaveLength(2);
      expect(await messagesOf(session, id)).toMatchObject([{ status: 'sent', identifier: 'SM1' }]);
    });

    it('should go on to the next integration when one has no attempts left', async () => {
      const first = await integrate('sendgrid');
      await integrate('resend');
      await session.post(`/v1/integrations/${first}/set-primary`).expect(200);
      sink.answer = (path, body, answer) =>
        (path.startsWith('/resend') ? json(200, { id: 're-1' }) : json(503, {}))(path, body, answer);
      const id = await run(mail, 600_000);
      expect(sink.requests.map(({ path }) => path.split('/')[1])).toEqual(['sendgrid', 'sendgrid', 'resend']);
      expect(await messagesOf(session, id)).toMatchObject([
        { status: 'sent', providerId: 'resend', identifier: 're-1' },
      ]);
    });
  });

  describe('to several devices of one person', () => {
    const push = { template: { type: 'push', title: 'News', content: 'Hello' } };
    const tickets: Record<string, unknown> = {
      alive: { status: 'ok', id: 'x-alive' },
      dead: { status: 'error', message: 'gone', details: { error: 'DeviceNotRegistered' } },
      busy: { status: 'error', message: 'slow down', details: { error: 'MessageRateExceeded' } },
    };
    const tokenOf = (body: string): string => (JSON.parse(body) as { to: string }[])[0]?.to ?? '';

    it('should give each one an outcome and a message of its own', async () => {
      await integrate('expo');
      const { identifier } = await createWorkflow(session, [push]);
      sink.answer = (path, body, answer) => json(200, { data: [tickets[tokenOf(body)]] })(path, body, answer);
      const channels = [{ providerId: 'expo' as const, credentials: { deviceTokens: ['alive', 'dead', 'busy'] } }];
      const id = await trigger(session, { name: identifier, to: { subscriberId: 'ann', channels } });
      await delivery.drain();
      tickets['busy'] = { status: 'ok', id: 'x-busy' };
      await delivery.drain(60_000);
      expect(sink.requests.map(({ body }) => tokenOf(body))).toEqual(['alive', 'dead', 'busy', 'busy']);
      const messages = await messagesOf(session, id);
      expect(messages.map(({ deviceTokens, status }) => [deviceTokens?.[0], status]).sort()).toEqual([
        ['alive', 'sent'],
        ['busy', 'sent'],
        ['dead', 'error'],
      ]);
      expect(await notificationOf(session, id)).toMatchObject({ status: 'completed' });
      expect((await dataOf<{ channels: unknown[] }>(session.get('/v1/subscribers/ann'), 200)).channels).toMatchObject([
        { credentials: { deviceTokens: ['alive', 'busy'] } },
      ]);
    });

    it('should try each one again when its own time has come', async () => {
      await integrate('expo');
      const { identifier } = await createWorkflow(session, [push]);
      const times: [string, number][] = [];
      const began = delivery.clock.now().getTime();
      sink.answer = (path, body, answer) => {
        const token = tokenOf(body);
        times.push([token, Math.round((delivery.clock.now().getTime() - began) / 1_000)]);
        const wait = token === 'patient' ? '300' : '5';
        const isFirst = times.filter(([one]) => one === token).length === 1;
        // Not a 429, which is about the account and would let both wait.
        if (isFirst) json(503, {}, { 'retry-after': wait })(path, body, answer);
        else json(200, { data: [{ status: 'ok', id: token }] })(path, body, answer);
      };
      const channels = [{ providerId: 'expo' as const, credentials: { deviceTokens: ['patient', 'quick'] } }];
      const id = await trigger(session, { name: identifier, to: { subscriberId: 'ann', channels } });
      await delivery.drain(600_000);
      expect(times.map(([token]) => token)).toEqual(['patient', 'quick', 'quick', 'patient']);
      expect(times.at(-1)?.[1]).toBeGreaterThanOrEqual(300);
      expect((await messagesOf(session, id)).map(({ status }) => status)).toEqual(['sent', 'sent']);
    });
  });

  describe('that never come', () => {
    let patient: DeliveryApi;

    beforeAll(async () => {
      patient = delivery;
      delivery = await startDeliveryApi('no_answers', { ...settings, DELIVERY_TIMEOUT_MS: '1000' });
    });
    afterAll(() => patient.api.close());

    it('should be waited for once, since the message may have been taken', async () => {
      await integrate('twilio');
      sink.answer = () => undefined;
      const id = await run(sms, 600_000);
      expect(sink.requests).toHaveLength(1);
      const [message] = await messagesOf(session, id);
      expect(message).toMatchObject({ status: 'error' });
      expect(message?.errorText).toMatch(/did not answer within 1000 ms.*may have been sent/);
      const { jobs } = await notificationOf(session, id);
      expect(jobs).toMatchObject([{ status: 'failed', reason: 'uncertain', deadLetter: true, uncertain: true }]);
    });
  });
});
