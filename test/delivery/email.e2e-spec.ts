import { eventually } from '../support/eventually.js';
import { type SmtpCatcher, smtpRefusal, startSmtpCatcher } from '../../libs/channels/test/smtp-catcher.js';
import {
  createWorkflow,
  email,
  feedOf,
  inApp,
  messagesOf,
  notificationOf,
  smtpIntegration,
  trigger,
} from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { useSession } from '../support/test-api.js';
import { dataOf } from '../support/answers.js';

describe('email delivery', () => {
  const delivery = useDeliveryApi('email', { DELIVERY_MAX_ATTEMPTS: '3', DELIVERY_TIMEOUT_MS: '120000' });
  const session = useSession(delivery.api);
  const catchers: SmtpCatcher[] = [];
  const catcher = async (options?: Parameters<typeof startSmtpCatcher>[0]): Promise<SmtpCatcher> => {
    const started = await startSmtpCatcher({
      onAuth: (_auth, _session, done) => done(null, { user: 'user' }),
      ...options,
    });
    catchers.push(started);
    return started;
  };

  afterAll(async () => {
    await Promise.all(catchers.map((one) => one.close()));
  });

  const to = { subscriberId: 'ann', email: 'ann@example.com', firstName: 'Ann' };

  it('should send a rendered mail once and say so', async () => {
    const smtp = await catcher();
    await smtpIntegration(session, smtp.port);
    const { identifier } = await createWorkflow(session, [
      email('Order {{order.id}}', '<p>Hello {{subscriber.firstName}}</p>', { contentType: 'customHtml' }),
    ]);
    const transactionId = await trigger(session, { name: identifier, to, payload: { order: { id: 7 } } });
    await delivery.drain();
    expect(smtp.mails).toHaveLength(1);
    expect(smtp.mails[0]).toMatchObject({ subject: 'Order 7', from: { value: [{ address: 'sender@example.com' }] } });
    expect(smtp.mails[0]?.html).toContain('Hello Ann');
    const shown = await notificationOf(session, transactionId);
    expect(shown).toMatchObject({ status: 'completed', jobs: [{ type: 'email', status: 'completed' }] });
    expect(shown.jobs[0]?.executionDetails.map(({ detail }) => detail)).toEqual([
      'Step created',
      'Step queued',
      'Start sending message',
      'Integration instance selected',
      'Message created',
      'Message sent',
    ]);
    expect(await messagesOf(session, transactionId)).toMatchObject([
      { channel: 'email', status: 'sent', email: 'ann@example.com', subject: 'Order 7' },
    ]);
  });

  it('should need no second attempt at a server that takes few connections', async () => {
    const smtp = await catcher({ maxClients: 2 });
    await smtpIntegration(session, smtp.port);
    const { identifier } = await createWorkflow(session, [email('Number {{n}}', 'x')]);
    const numbers = Array.from({ length: 50 }, (_, n) => n);
    const ids = await Promise.all(numbers.map((n) => trigger(session, { name: identifier, to, payload: { n } })));
    // A line that has become slow lets messages wait in the store; that is no attempt.
    await delivery.drain(60_000);
    expect(smtp.mails.map(({ subject }) => Number(subject?.slice(7))).toSorted((a, b) => a - b)).toEqual(numbers);
    for (const id of ids) {
      const { jobs, status } = await notificationOf(session, id);
      expect(status).toBe('completed');
      expect(jobs[0]?.executionDetails.filter(({ detail }) => detail === 'Message sent')).toHaveLength(1);
      expect(jobs[0]?.executionDetails.filter(({ status: one }) => one === 'Failed' || one === 'Warning')).toEqual([]);
    }
  });

  it('should try again what can pass until it passes', async () => {
    let refusals = 2;
    const smtp = await catcher({
      onRcptTo: (_address, _session, done) => done(refusals-- > 0 ? smtpRefusal(451, 'try later') : null),
    });
    await smtpIntegration(session, smtp.port);
    const { identifier } = await createWorkflow(session, [email('Hello', 'text')]);
    const transactionId = await trigger(session, { name: identifier, to });
    await delivery.drain();
    expect(smtp.mails).toHaveLength(0);
    expect(await notificationOf(session, transactionId)).toMatchObject({
      status: 'active',
      jobs: [{ status: 'queued', attempt: 1 }],
    });
    await delivery.drain(60_000);
    expect(smtp.mails).toHaveLength(1);
    expect(await notificationOf(session, transactionId)).toMatchObject({
      status: 'completed',
      jobs: [{ status: 'completed', attempt: 3 }],
    });
    const [message] = await messagesOf(session, transactionId);
    expect(message).toMatchObject({ status: 'sent' });
    expect(message).not.toHaveProperty('errorText');
  });

  it('should fail over to the next integration when the first refuses permanently', async () => {
    const refusing = await catcher({ onRcptTo: (_address, _session, done) => done(smtpRefusal(550, 'never')) });
    const taking = await catcher();
    await smtpIntegration(session, taking.port);
    await smtpIntegration(session, refusing.port, { primary: true });
    const { identifier } = await createWorkflow(session, [email('Hello', 'text')]);
    const transactionId = await trigger(session, { name: identifier, to });
    await delivery.drain();
    expect(taking.mails).toHaveLength(1);
    const shown = await notificationOf(session, transactionId);
    expect(shown.jobs[0]?.executionDetails.map(({ detail }) => detail)).toEqual([
      'Step created',
      'Step queued',
      'Start sending message',
      'Integration instance selected',
      'Unexpected provider error',
      'Integration instance selected',
      'Message created',
      'Message sent',
    ]);
  });

  it('should keep what nobody takes as a dead letter and replay it on demand', async () => {
    let refuses = true;
    const smtp = await catcher({
      onRcptTo: (_address, _session, done) => done(refuses ? smtpRefusal(451, 'try later') : null),
    });
    await smtpIntegration(session, smtp.port);
    const { identifier } = await createWorkflow(session, [
      email('Hello', 'text', {}, { shouldStopOnFail: true }),
      inApp('after the mail'),
    ]);
    const transactionId = await trigger(session, { name: identifier, to });
    await delivery.drain(600_000);
    const failed = await notificationOf(session, transactionId);
    expect(failed).toMatchObject({
      status: 'failed',
      jobs: [
        { status: 'failed', deadLetter: true, reason: 'provider', attempt: 3 },
        { status: 'canceled', reason: 'earlier_step_failed' },
      ],
    });
    expect(await messagesOf(session, transactionId)).toMatchObject([
      { status: 'error', errorId: 'mail_unexpected_error' },
    ]);

    refuses = false;
    await session.post(`/v1/notifications/${failed._id}/jobs/${failed.jobs[1]?._id}/replay`).expect(409);
    await session.post(`/v1/notifications/${failed._id}/jobs/${failed.jobs[0]?._id}/replay`).expect(202);
    await delivery.drain();
    expect(smtp.mails).toHaveLength(1);
    expect(await feedOf(session, 'ann')).toHaveLength(1);
    expect(await notificationOf(session, transactionId)).toMatchObject({
      status: 'completed',
      jobs: [{ status: 'completed' }, { status: 'completed' }],
    });
    await session.post(`/v1/notifications/${failed._id}/replay`).expect(409);
  });

  it('should send to the address of the overrides in the place of that of the subscriber', async () => {
    const smtp = await catcher();
    await smtpIntegration(session, smtp.port);
    const { identifier } = await createWorkflow(session, [email('Hello', 'text')]);
    const overrides = { email: { toRecipient: 'other@example.com' } };
    const transactionId = await trigger(session, {
      name: identifier,
      to,
      payload: { email: 'x@example.com' },
      overrides,
    });
    await delivery.drain();
    expect(smtp.mails).toMatchObject([{ to: { text: 'other@example.com' } }]);
    expect(await messagesOf(session, transactionId)).toMatchObject([{ email: 'other@example.com', status: 'sent' }]);
    const { body: subscriber } = await session.get('/v1/subscribers/ann').expect(200);
    expect(subscriber).toMatchObject({ data: { email: 'ann@example.com' } });
  });

  it('should say what is missing where nothing can be sent', async () => {
    const { identifier } = await createWorkflow(session, [email('Hello', 'text'), inApp('still here')]);
    const without = await trigger(session, { name: identifier, to });
    await delivery.drain();
    expect(await notificationOf(session, without)).toMatchObject({
      status: 'failed',
      jobs: [{ status: 'failed', reason: 'no_active_integration' }, { status: 'completed' }],
    });
    const smtp = await catcher();
    await smtpIntegration(session, smtp.port);
    const nowhere = await trigger(session, { name: identifier, to: 'bob' });
    await delivery.drain();
    expect(await notificationOf(session, nowhere)).toMatchObject({
      status: 'completed',
      jobs: [{ status: 'skipped', reason: 'no_address' }, { status: 'completed' }],
    });
    expect(
      await dataOf<unknown[]>(session.get(`/v1/messages?transactionId=${nowhere}&channel=email`), 200),
    ).toMatchObject([{ status: 'warning', errorText: 'Subscriber does not have an email address' }]);
  });

  it('should not let a slow server hold up messages of other channels', async () => {
    const waiting: (() => void)[] = [];
    const smtp = await catcher({ onRcptTo: (_address, _session, done) => void waiting.push(() => done(null)) });
    await smtpIntegration(session, smtp.port);
    const mail = await createWorkflow(session, [email('Hello', 'text')]);
    const feed = await createWorkflow(session, [inApp('quick')]);
    for (let n = 0; n < 60; n += 1) await trigger(session, { name: mail.identifier, to });
    await trigger(session, { name: feed.identifier, to });
    await eventually(async () => expect(await feedOf(session, 'ann')).toHaveLength(1));
    expect(smtp.mails).toHaveLength(0);
    const release = setInterval(() => waiting.splice(0).forEach((done) => done()), 10);
    // Those that found no place in the line come again when it should be their turn.
    await eventually(async () => {
      await delivery.drain(1_000);
      expect(smtp.mails).toHaveLength(60);
    });
    clearInterval(release);
  });

  it('should keep its lease on a mail whose server takes its time', async () => {
    let take = (): void => undefined;
    let hear = (): void => undefined;
    const asked = new Promise<void>((resolve) => (hear = resolve));
    const smtp = await catcher({
      onRcptTo: (_address, _session, done) => {
        take = () => done(null);
        hear();
      },
    });
    await smtpIntegration(session, smtp.port);
    const { identifier } = await createWorkflow(session, [email('Hello', 'text')]);
    const transactionId = await trigger(session, { name: identifier, to });
    const leased = (): Promise<unknown[]> =>
      delivery.rows('notifications', { transactionId, lease: { $exists: true }, status: 'active' });
    const done = delivery.drain();
    await asked;
    expect(await leased()).toHaveLength(1);
    take();
    await done;
    expect(smtp.mails).toHaveLength(1);
    expect(await leased()).toEqual([]);
  });

  it('should send files that come with the event and keep them out of the payload', async () => {
    const smtp = await catcher();
    await smtpIntegration(session, smtp.port);
    const { identifier } = await createWorkflow(session, [email('Hello', 'text')]);
    const file = Buffer.from('file content').toString('base64');
    const transactionId = await trigger(session, {
      name: identifier,
      to,
      payload: {
        order: 7,
        attachments: [{ name: 'a.txt', mime: 'text/plain', file }, { file: Buffer.from('of a Node client') }],
      },
    });
    await delivery.drain();
    expect(smtp.mails[0]?.attachments).toMatchObject([
      { filename: 'a.txt', contentType: 'text/plain' },
      { filename: 'attachment-2', contentType: 'application/octet-stream' },
    ]);
    expect(smtp.mails[0]?.attachments.map(({ content }) => content.toString())).toEqual([
      'file content',
      'of a Node client',
    ]);
    expect(await notificationOf(session, transactionId)).toMatchObject({
      payload: { attachments: [{ name: 'a.txt', mime: 'text/plain' }, {}] },
    });
    const { body } = await session.get(`/v1/messages?transactionId=${transactionId}`).expect(200);
    expect((body as { data: unknown[] }).data).toMatchObject([{ channel: 'email', payload: { order: 7 } }]);
    expect(JSON.stringify(body)).not.toContain('attachments');
  });
});
