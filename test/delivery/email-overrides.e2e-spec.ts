import { type SmtpCatcher, smtpRefusal, startSmtpCatcher } from '../../libs/channels/test/smtp-catcher.js';
import { createWorkflow, email, messagesOf, type SentEvent, smtpIntegration, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { useSession } from '../support/test-api.js';

/** What a trigger puts in the place of a mail's own parts. */
describe('overrides of mails', () => {
  const delivery = useDeliveryApi('email-overrides', { DELIVERY_TIMEOUT_MS: '120000' });
  const session = useSession(delivery.api);
  let smtp: SmtpCatcher;
  const catchers: SmtpCatcher[] = [];

  beforeEach(async () => {
    smtp = await startSmtpCatcher({ onAuth: (_auth, _session, done) => done(null, { user: 'user' }) });
    catchers.push(smtp);
    await smtpIntegration(session, smtp.port);
  });
  afterAll(async () => {
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

  it('should refuse headers that Herald sets itself, and names that are none', async () => {
    const { identifier } = await createWorkflow(session, [email('Hello', 'text')]);
    const headers = {
      'content-type': 'text/evil',
      'Content-Transfer-Encoding': 'x',
      'MIME-Version': '2',
      'DKIM-Signature': 'x',
      'ARC-Seal': 'x',
      Bcc: 'eve@example.com',
      'X Order': '7',
      'Content-Type:': 'text/evil',
      'X-Order\r\nBcc': 'eve@example.com',
      '': 'x',
      'X-Fine': 'x',
    };
    const overrides = { email: { headers }, nodemailer: { headers: { subject: 'x' } } };
    const event = { name: identifier, to, payload: {}, overrides };
    const { body } = await session.post('/v1/events/trigger', event).expect(400);
    const isSet = 'is set by Herald and cannot be overridden';
    const isNone = 'must have a name of letters, digits and other visible ASCII characters except a colon';
    expect((body as { message: unknown }).message).toEqual([
      `overrides.email.headers.content-type ${isSet}`,
      `overrides.email.headers.Content-Transfer-Encoding ${isSet}`,
      `overrides.email.headers.MIME-Version ${isSet}`,
      `overrides.email.headers.DKIM-Signature ${isSet}`,
      `overrides.email.headers.ARC-Seal ${isSet}`,
      'overrides.email.headers.Bcc is not allowed: use the field bcc of the override',
      `overrides.email.headers.X Order ${isNone}`,
      `overrides.email.headers.Content-Type: ${isNone}`,
      `overrides.email.headers.X-Order\r\nBcc ${isNone}`,
      `overrides.email.headers. ${isNone}`,
      'overrides.nodemailer.headers.subject is not allowed: use the field subject of the override',
    ]);
  });

  it('should send a header of several lines as one line', async () => {
    const { identifier } = await createWorkflow(session, [email('Hello', 'text')]);
    const headers = { 'X-Long': 'one\r\n  two\nBcc: eve@example.com' };
    await trigger(session, { name: identifier, to, overrides: { email: { headers } } });
    await delivery.drain();
    expect(smtp.mails[0]?.headers.get('x-long')).toBe('one two Bcc: eve@example.com');
  });

  describe('what the message shows', () => {
    const shownOf = async (transactionId: string): Promise<unknown[]> => {
      return messagesOf(session, transactionId);
    };
    const send = async (overrides: NonNullable<SentEvent['overrides']>): Promise<unknown[]> => {
      const { identifier } = await createWorkflow(session, [email('Template', 'of the template')]);
      const transactionId = await trigger(session, { name: identifier, to, overrides });
      await delivery.drain();
      return shownOf(transactionId);
    };

    it('should be the html and the subject that were sent', async () => {
      const html = '<p>Another</p>';
      expect(await send({ email: { subject: 'Subject', html, text: 'plain' } })).toMatchObject([
        { subject: 'Subject', content: html },
      ]);
      expect(smtp.mails).toMatchObject([{ subject: 'Subject', html, text: expect.stringContaining('plain') }]);
    });

    it('should be the text that was sent in the place of html', async () => {
      expect(await send({ email: { text: 'plain' } })).toMatchObject([{ subject: 'Template', content: 'plain' }]);
    });

    it('should be what the provider has of its own', async () => {
      const own = { subject: 'Own', html: '<p>Own</p>' };
      expect(await send({ email: { html: '<p>All</p>' }, nodemailer: own })).toMatchObject([
        { subject: 'Own', content: '<p>Own</p>' },
      ]);
      expect(smtp.mails).toMatchObject([{ subject: 'Own', html: expect.stringContaining('<p>Own</p>') }]);
    });

    it('should be what the last attempt has sent', async () => {
      let refusals = 1;
      const late = await startSmtpCatcher({
        onAuth: (_auth, _session, done) => done(null, { user: 'user' }),
        onRcptTo: (_address, _session, done) => done(refusals-- > 0 ? smtpRefusal(451, 'try later') : null),
      });
      catchers.push(late);
      await smtpIntegration(session, late.port, { primary: true });
      const step = email('For {{subscriber.firstName}}', 'To {{subscriber.firstName}}', { contentType: 'customHtml' });
      const { identifier } = await createWorkflow(session, [step]);
      const transactionId = await trigger(session, { name: identifier, to });
      await delivery.drain();
      expect(await shownOf(transactionId)).toMatchObject([{ status: 'error', subject: 'For Ann' }]);
      await session.put('/v1/subscribers/ann', { firstName: 'Anna', email: 'anna@example.com' }).expect(200);
      await delivery.drain(600_000);
      const [mail] = [...late.mails, ...smtp.mails];
      expect(mail).toMatchObject({ subject: 'For Anna', to: { text: 'anna@example.com' } });
      expect(await shownOf(transactionId)).toMatchObject([
        { status: 'sent', subject: 'For Anna', content: 'To Anna', email: 'anna@example.com' },
      ]);
    });
  });
});
