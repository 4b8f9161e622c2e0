import { generateKeyPairSync } from 'node:crypto';
import { createWorkflow, messagesOf, notificationOf, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { type Answer, cutOff, hangUp, json, useProviderSink } from '../support/provider-sink.js';
import { useSession } from '../support/test-api.js';
import { dataOf } from '../support/answers.js';

function serviceAccount(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' });
  return JSON.stringify({ project_id: 'demo', client_email: 'herald@demo.example', private_key });
}

const SENDER = { from: 'a@b.example', senderName: 'A' };
const CREDENTIALS = {
  twilio: ['sms', { accountSid: 'AC1', token: 'secret-token', from: '+15550100' }],
  telnyx: ['sms', { apiKey: 'k', messageProfileId: 'p', from: '+15550100' }],
  sendgrid: ['email', { ...SENDER, apiKey: 'SG.key' }],
  resend: ['email', { ...SENDER, apiKey: 're_key' }],
  fcm: ['push', { serviceAccount: serviceAccount() }],
} as const;

describe('messages that a provider has taken, or may have', () => {
  const sink = useProviderSink();
  const delivery = useDeliveryApi('accepted', () => ({
    DELIVERY_MAX_ATTEMPTS: '3',
    PROVIDER_BASE_URLS: Object.keys(CREDENTIALS)
      .map((id) => `${id}=${sink.url}/${id}`)
      .join(','),
  }));
  const session = useSession(delivery.api);

  const integrate = async (
    providerId: keyof typeof CREDENTIALS,
    more: Record<string, unknown> = {},
  ): Promise<string> => {
    const [channel, credentials] = CREDENTIALS[providerId];
    return (
      await dataOf<{ _id: string }>(
        session.post('/v1/integrations', { providerId, channel, active: true, check: false, credentials, ...more }),
        201,
      )
    )._id;
  };

  /** Two integrations of one channel, the first one primary. */
  const both = async (
    first: keyof typeof CREDENTIALS,
    second: keyof typeof CREDENTIALS,
    more: Record<string, unknown> = {},
  ): Promise<string> => {
    const id = await integrate(first, more);
    await integrate(second);
    await session.post(`/v1/integrations/${id}/set-primary`).expect(200);
    return id;
  };

  const sms = { template: { type: 'sms', content: 'Hello' } };
  const mail = { template: { type: 'email', subject: 'Hi', content: '<p>Hello</p>', contentType: 'customHtml' } };
  const to = { subscriberId: 'ann', email: 'ann@example.com', phone: '+15550111' };

  const run = async (step: typeof sms | typeof mail): Promise<string> => {
    const { identifier } = await createWorkflow(session, [step]);
    const id = await trigger(session, { name: identifier, to });
    await delivery.drain(600_000);
    return id;
  };
  const asked = (): string[] => sink.requests.map(({ path }) => path.split('/')[1] ?? '');
  /** The first provider answers as told, all others take everything. */
  const only = (provider: string, answer: Answer): Answer => {
    return (path, body, response) =>
      (path.startsWith(`/${provider}`) ? answer : json(200, { id: 'other', data: { id: 'other' } }))(
        path,
        body,
        response,
      );
  };

  describe('when the provider answers 2xx', () => {
    it.each<[string, Answer]>([
      ['without an id', json(201, {})],
      ['with a page of markup', json(200, '<html>gateway</html>')],
      ['with nothing', (_path, _body, response) => void response.writeHead(202).end()],
      ['with a body that breaks off', cutOff(201)],
      ['with an endless body', (_path, _body, response) => void response.end('x'.repeat(3_000_000))],
    ])('should count the message as sent, once: %s', async (_name, answer) => {
      await both('twilio', 'telnyx');
      sink.answer = only('twilio', answer);
      const id = await run(sms);
      expect(asked()).toEqual(['twilio']);
      const [message] = await messagesOf(session, id);
      expect(message).toMatchObject({ status: 'sent', providerId: 'twilio' });
      expect(message).not.toHaveProperty('identifier', expect.any(String));
      const { _id, status, jobs } = await notificationOf(session, id);
      expect(status).toBe('completed');
      const detail = jobs[0]?.executionDetails.find(({ detail }) => detail.startsWith('Message sent'));
      expect(detail).toMatchObject({ status: 'Success', raw: expect.stringContaining('no message id') as string });
      await session.post(`/v1/notifications/${_id}/replay`).expect(409);
      expect(asked()).toEqual(['twilio']);
    });
  });

  describe('when the provider may have the message', () => {
    it.each<[string, Answer]>([
      ['the connection ends without an answer', hangUp],
      ['a gateway answers 502', json(502, {})],
      ['a gateway answers 504', json(504, {})],
    ])('should not send it again, and say so: %s', async (_name, answer) => {
      await both('twilio', 'telnyx');
      sink.answer = only('twilio', answer);
      const id = await run(sms);
      expect(asked()).toEqual(['twilio']);
      const [message] = await messagesOf(session, id);
      expect(message).toMatchObject({ status: 'error', providerId: 'twilio' });
      expect(message?.errorText).toContain('may have been sent');
      const { jobs, status } = await notificationOf(session, id);
      expect(status).toBe('failed');
      expect(jobs).toMatchObject([{ status: 'failed', reason: 'uncertain' }]);
      expect(jobs[0]?.executionDetails.at(-1)).toMatchObject({
        detail: 'The provider may have accepted the message',
        status: 'Warning',
      });
    });

    it('should be replayed only by a request that says so', async () => {
      await integrate('twilio');
      sink.answer = hangUp;
      const id = await run(sms);
      const { _id, jobs } = await notificationOf(session, id);
      const { body } = await session.post(`/v1/notifications/${_id}/replay`, { includeUncertain: null }).expect(409);
      expect(body).toMatchObject({ code: 'may_have_been_sent' });
      await session
        .post(`/v1/notifications/${_id}/jobs/${jobs[0]?._id}/replay`, { includeUncertain: null })
        .expect(409);
      expect(asked()).toEqual(['twilio']);
      sink.answer = json(201, { sid: 'SM2' });
      await session.post(`/v1/notifications/${_id}/replay`, { includeUncertain: true }).expect(202);
      await delivery.drain();
      expect(asked()).toEqual(['twilio', 'twilio']);
      expect(await messagesOf(session, id)).toMatchObject([{ status: 'sent', identifier: 'SM2' }]);
    });

    it('should refuse an answer to includeUncertain that is no boolean', async () => {
      await integrate('twilio');
      sink.answer = hangUp;
      const { _id } = await notificationOf(session, await run(sms));
      await session.post(`/v1/notifications/${_id}/replay`, { includeUncertain: 'yes' }).expect(400);
      expect(asked()).toEqual(['twilio']);
    });

    it('should be repeated and handed on where the integration allows it', async () => {
      await both('twilio', 'telnyx', { retryUncertain: true });
      sink.answer = only('twilio', hangUp);
      const id = await run(sms);
      expect(asked()).toEqual(['twilio', 'twilio', 'twilio', 'telnyx']);
      expect(await messagesOf(session, id)).toMatchObject([{ status: 'sent', providerId: 'telnyx' }]);
    });

    it('should be repeated at the same provider where that drops repeats, and nowhere else', async () => {
      await both('resend', 'sendgrid');
      sink.answer = only('resend', hangUp);
      const id = await run(mail);
      expect(asked()).toEqual(['resend', 'resend', 'resend']);
      expect(await messagesOf(session, id)).toMatchObject([{ status: 'error', providerId: 'resend' }]);
      expect(await notificationOf(session, id)).toMatchObject({ jobs: [{ reason: 'uncertain' }] });
    });

    it('should stay uncertain when a later attempt is refused', async () => {
      await both('resend', 'sendgrid');
      sink.answer = only('resend', (path, body, response) =>
        (sink.requests.length === 1 ? hangUp : json(422, { message: 'no' }))(path, body, response),
      );
      const id = await run(mail);
      expect(asked()).toEqual(['resend', 'resend']);
      expect(await notificationOf(session, id)).toMatchObject({ jobs: [{ status: 'failed', reason: 'uncertain' }] });
    });

    it('should not go through another integration when its own is deactivated before the retry', async () => {
      const first = await both('resend', 'sendgrid');
      sink.answer = only('resend', hangUp);
      const { identifier } = await createWorkflow(session, [mail]);
      const id = await trigger(session, { name: identifier, to });
      await delivery.drain();
      expect(asked()).toEqual(['resend']);
      await session.put(`/v1/integrations/${first}`, { active: false }).expect(200);
      await delivery.drain(600_000);
      expect(asked()).toEqual(['resend']);
      const { _id, jobs } = await notificationOf(session, id);
      expect(jobs).toMatchObject([{ status: 'failed', reason: 'uncertain' }]);
      await session.post(`/v1/notifications/${_id}/replay`).expect(409);
    });

    it('should be told apart for each device', async () => {
      await integrate('fcm');
      const { identifier } = await createWorkflow(session, [{ template: { type: 'push', title: 'T', content: 'C' } }]);
      const sentTo = (): string[] =>
        sink.requests
          .filter(({ path }) => path.endsWith('messages:send'))
          .map(({ body }) => (JSON.parse(body) as { message: { token: string } }).message.token);
      sink.answer = (path, body, response) => {
        if (path.endsWith('/token')) return json(200, { access_token: 'a', expires_in: 3_600 })(path, body, response);
        const tokens = sentTo();
        const token = tokens.at(-1);
        const isBusy = token === 'busy' && tokens.length < 4;
        const answer = token === 'lost' ? hangUp : isBusy ? json(503, {}) : json(200, { name: token });
        return answer(path, body, response);
      };
      const channels = [{ providerId: 'fcm' as const, credentials: { deviceTokens: ['good', 'lost', 'busy'] } }];
      const id = await trigger(session, { name: identifier, to: { subscriberId: 'ann', channels } });
      await delivery.drain(600_000);
      expect(sentTo()).toEqual(['good', 'lost', 'busy', 'busy']);
      const { _id, jobs } = await notificationOf(session, id);
      expect(jobs).toMatchObject([{ status: 'completed' }]);
      expect((await messagesOf(session, id)).map(({ status }) => status).sort()).toEqual(['error', 'sent', 'sent']);
      await session.post(`/v1/notifications/${_id}/replay`, { includeUncertain: true }).expect(409);
    });
  });

  describe('when the provider surely does not have the message', () => {
    it.each<[string, Answer, string[]]>([
      ['a refusal', json(400, { message: 'no' }), ['twilio', 'telnyx']],
      ['a fault', json(500, {}), ['twilio', 'twilio', 'twilio', 'telnyx']],
      ['an overload', json(503, {}), ['twilio', 'twilio', 'twilio', 'telnyx']],
      ['a rate limit', json(429, {}), ['twilio', 'twilio', 'twilio', 'telnyx']],
    ])('should try again and go on to the next integration: %s', async (_name, answer, providers) => {
      await both('twilio', 'telnyx');
      sink.answer = only('twilio', answer);
      const id = await run(sms);
      expect(asked()).toEqual(providers);
      expect(await messagesOf(session, id)).toMatchObject([
        { status: 'sent', providerId: 'telnyx', identifier: 'other' },
      ]);
    });
  });

  describe('retryUncertain of an integration', () => {
    const shown = async (id: string): Promise<unknown> => {
      return (await dataOf<{ _id: string }[]>(session.get('/v1/integrations'), 200)).find(({ _id }) => _id === id);
    };

    it('should be off by default, and set and unset by updates', async () => {
      const id = await integrate('twilio');
      expect(await shown(id)).not.toHaveProperty('retryUncertain');
      await session.put(`/v1/integrations/${id}`, { retryUncertain: true }).expect(200);
      expect(await shown(id)).toMatchObject({ retryUncertain: true });
      await session.put(`/v1/integrations/${id}`, { name: 'Other' }).expect(200);
      expect(await shown(id)).toMatchObject({ retryUncertain: true, name: 'Other' });
      await session.put(`/v1/integrations/${id}`, { retryUncertain: false }).expect(200);
      expect(await shown(id)).not.toHaveProperty('retryUncertain');
      await session.put(`/v1/integrations/${id}`, { retryUncertain: 'yes' }).expect(400);
    });
  });
});
