import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestSession } from '#libs/testing';
import {
  createWorkflow,
  type DeliveryApi,
  messagesOf,
  notificationOf,
  startDeliveryApi,
  trigger,
} from '../support/delivery.js';
import { dataOf } from '../support/answers.js';

interface ShownMessage {
  status: string;
  identifier?: string;
  errorId?: string;
  errorText?: string;
  providerId: string;
  deviceTokens?: string[];
}

describe('answers of providers', () => {
  let delivery: DeliveryApi;
  let session: TestSession;
  let server: Server;
  let requests: { path: string; body: string }[] = [];
  let respond: (path: string, body: string, response: ServerResponse) => void;
  let url = '';
  let settings: Record<string, string>;

  const json = (status: number, body: unknown, headers: Record<string, string> = {}) => {
    return (_path: string, _body: string, response: ServerResponse): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
    };
  };

  beforeAll(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        requests.push({ path: request.url ?? '', body });
        respond(request.url ?? '', body, response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    settings = {
      DELIVERY_MAX_ATTEMPTS: '2',
      DELIVERY_TIMEOUT_MS: '120000',
      PROVIDER_BASE_URLS: ['sendgrid', 'resend', 'twilio', 'expo'].map((id) => `${id}=${url}/${id}`).join(','),
    };
    delivery = await startDeliveryApi('answers', settings);
  });
  beforeEach(async () => {
    session = await delivery.api.session();
    requests = [];
  });
  afterAll(async () => {
    await delivery.api.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

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
      respond = answer;
      const id = await run(sms, 600_000);
      expect(requests).toHaveLength(1);
      const [message] = await messagesOf<ShownMessage>(session, id);
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
        (_p: string, _b: string, a: ServerResponse) => void a.writeHead(503).end('x'.repeat(3_000_000)),
      ],
      ['a rate limit', json(429, {}, { 'retry-after': '1' })],
    ])('should be tried until the attempts are used up: %s', async (_name, answer) => {
      await integrate('twilio');
      respond = answer;
      const id = await run(sms, 600_000);
      expect(requests).toHaveLength(2);
      expect(await messagesOf<ShownMessage>(session, id)).toMatchObject([{ status: 'error' }]);
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
      respond = json(429, {}, { 'retry-after': retryAfter() });
      const id = await run(sms, 110_000);
      expect(requests).toHaveLength(1);
      respond = json(201, { sid: 'SM1' });
      await delivery.drain(30_000);
      expect(requests).toHaveLength(2);
      expect(await messagesOf<ShownMessage>(session, id)).toMatchObject([{ status: 'sent', identifier: 'SM1' }]);
    });

    it('should go on to the next integration when one has no attempts left', async () => {
      const first = await integrate('sendgrid');
      await integrate('resend');
      await session.post(`/v1/integrations/${first}/set-primary`).expect(201);
      respond = (path, body, answer) =>
        (path.startsWith('/resend') ? json(200, { id: 're-1' }) : json(503, {}))(path, body, answer);
      const id = await run(mail, 600_000);
      expect(requests.map(({ path }) => path.split('/')[1])).toEqual(['sendgrid', 'sendgrid', 'resend']);
      expect(await messagesOf<ShownMessage>(session, id)).toMatchObject([
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
      respond = (path, body, answer) => json(200, { data: [tickets[tokenOf(body)]] })(path, body, answer);
      const channels = [{ providerId: 'expo', credentials: { deviceTokens: ['alive', 'dead', 'busy'] } }];
      const id = await trigger(session, { name: identifier, to: { subscriberId: 'ann', channels } });
      await delivery.drain();
      tickets['busy'] = { status: 'ok', id: 'x-busy' };
      await delivery.drain(60_000);
      expect(requests.map(({ body }) => tokenOf(body))).toEqual(['alive', 'dead', 'busy', 'busy']);
      const messages = await messagesOf<ShownMessage>(session, id);
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
      respond = (path, body, answer) => {
        const token = tokenOf(body);
        times.push([token, Math.round((delivery.clock.now().getTime() - began) / 1_000)]);
        const wait = token === 'patient' ? '300' : '5';
        const isFirst = times.filter(([one]) => one === token).length === 1;
        if (isFirst) json(429, {}, { 'retry-after': wait })(path, body, answer);
        else json(200, { data: [{ status: 'ok', id: token }] })(path, body, answer);
      };
      const channels = [{ providerId: 'expo', credentials: { deviceTokens: ['patient', 'quick'] } }];
      const id = await trigger(session, { name: identifier, to: { subscriberId: 'ann', channels } });
      await delivery.drain(600_000);
      expect(times.map(([token]) => token)).toEqual(['patient', 'quick', 'quick', 'patient']);
      expect(times.at(-1)?.[1]).toBeGreaterThanOrEqual(300);
      expect((await messagesOf<ShownMessage>(session, id)).map(({ status }) => status)).toEqual(['sent', 'sent']);
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
      respond = () => undefined;
      const id = await run(sms, 600_000);
      expect(requests).toHaveLength(1);
      const [message] = await messagesOf<ShownMessage>(session, id);
      expect(message).toMatchObject({ status: 'error' });
      expect(message?.errorText).toMatch(/did not answer within 1000 ms.*may have been sent/);
      const { jobs } = await notificationOf(session, id);
      expect(jobs).toMatchObject([{ status: 'failed', reason: 'uncertain' }]);
      expect(jobs[0]).not.toHaveProperty('deadLetter');
    });
  });
});
