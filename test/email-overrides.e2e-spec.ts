import type { TestSession } from '#libs/testing';
import { type SmtpCatcher, startSmtpCatcher } from '../libs/channels/test/smtp-catcher.js';
import {
  createWorkflow,
  type DeliveryApi,
  email,
  smtpIntegration,
  startDeliveryApi,
  trigger,
} from './support/delivery.js';

/** What a trigger puts in the place of a mail's own parts (delivery-behaviour 4.4). */
describe('overrides of mails', () => {
  let delivery: DeliveryApi;
  let session: TestSession;
  let smtp: SmtpCatcher;
  const catchers: SmtpCatcher[] = [];

  beforeAll(async () => {
    delivery = await startDeliveryApi('email-overrides', { DELIVERY_TIMEOUT_MS: '120000' });
  });
  beforeEach(async () => {
    session = await delivery.api.session();
    smtp = await startSmtpCatcher({ onAuth: (_auth, _session, done) => done(null, { user: 'user' }) });
    catchers.push(smtp);
    await smtpIntegration(session, smtp.port);
  });
  afterAll(async () => {
    // Pooled connections are the application's to close.
    await delivery.api.close();
    await Promise.all(catchers.map((one) => one.close()));
  });

  const to = { subscriberId: 'ann', email: 'ann@example.com', firstName: 'Ann' };

  it('should send files and headers of the overrides', async () => {
    const { identifier } = await createWorkflow(session, [email('Hello', 'text')]);
    const file = Buffer.from('of the overrides').toString('base64');
    const own = Buffer.from('of the payload').toString('base64');
    const transactionId = await trigger(session, {
      name: identifier,
      to,
      payload: { attachments: [{ name: 'own.txt', file: own }] },
      overrides: {
        email: {
          attachments: [{ name: 'b.txt', mime: 'text/plain', file }],
          headers: { 'X-Order': 7, 'X-Urgent': true, 'X-Text': 'as it is', 'X-None': null },
        },
      },
    });
    await delivery.drain();
    const [mail] = smtp.mails;
    expect(mail?.attachments.map(({ filename, content }) => [filename, content.toString()])).toEqual([
      ['own.txt', 'of the payload'],
      ['b.txt', 'of the overrides'],
    ]);
    const headers = ['x-order', 'x-urgent', 'x-text', 'x-none'].map((name) => mail?.headers.get(name));
    expect(headers).toEqual(['7', 'true', 'as it is', undefined]);
    const { body } = await session.get(`/v1/messages?transactionId=${transactionId}`).expect(200);
    expect(JSON.stringify(body)).not.toContain(file);
  });

  it('should refuse files and headers of the overrides that it cannot send', async () => {
    const { identifier } = await createWorkflow(session, [email('Hello', 'text')]);
    const faultsOf = async (overrides: object): Promise<unknown> => {
      const event = { name: identifier, to, payload: {}, overrides };
      const { body } = await session.post('/v1/events/trigger', event).expect(400);
      return (body as { message: unknown }).message;
    };
    expect(
      await faultsOf({
        email: { headers: { 'X-List': ['a'] } },
        mailgun: { attachments: [], headers: 'X-Order: 7' },
      }),
    ).toEqual([
      'overrides.email.headers.X-List must be a string, a number or a boolean',
      'overrides.mailgun.attachments is not allowed: put the files into overrides.email.attachments',
      'overrides.mailgun.headers must be an object of texts',
    ]);
    expect(await faultsOf({ email: { attachments: [{ name: 'no file' }] } })).toEqual([
      'overrides.email.attachments.0 must be an object with a file',
    ]);
  });
});
