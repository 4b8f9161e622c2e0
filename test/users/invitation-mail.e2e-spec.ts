import { type SmtpCatcher, startSmtpCatcher } from '../../libs/channels/test/smtp-catcher.js';
import { newEmail } from '../factories/ids.js';
import { dataOf } from '../support/answers.js';
import { smtpIntegration } from '../support/delivery.js';
import { SignedInBrowser, tokenOf } from '../support/signed-in-browser.js';
import { useSession, useTestApi } from '../support/test-api.js';

describe('mails of invitations', () => {
  const api = useTestApi();
  const session = useSession(api);
  let smtp: SmtpCatcher;
  beforeAll(async () => {
    smtp = await startSmtpCatcher({ authOptional: true, onAuth: (_auth, _session, done) => done(null, { user: 'u' }) });
  });
  beforeEach(() => {
    smtp.mails.splice(0);
  });
  afterAll(() => smtp.close());

  const invite = (email: string): Promise<Record<string, string>> =>
    dataOf(session.post('/v1/users/invitations', { email, role: 'viewer' }), 201);

  it('should bring the link to the person by the email integration', async () => {
    await smtpIntegration(session, smtp.port);
    const email = newEmail();
    const { mail, url } = await invite(email);
    expect(mail).toBe('sent');
    const [sent] = smtp.mails;
    expect(sent?.to).toMatchObject({ text: email });
    expect(sent?.text).toContain(url);
    expect(sent?.html).toContain(`href="${url}"`);
    const link = /http\S+#[\w-]+/.exec(sent?.text ?? '')?.[0] ?? '';
    const me = await new SignedInBrowser(api.url).accept(tokenOf(link));
    expect(me.email).toBe(email);
  });

  it('should still return the link where the mail cannot be sent', async () => {
    await smtpIntegration(session, 1);
    const { mail, mailError, url } = await invite(newEmail());
    expect([mail, mailError]).toEqual(['failed', expect.stringMatching(/./)]);
    await new SignedInBrowser(api.url).accept(tokenOf(url ?? ''));
  });
});
