import { type SmtpCatcher, startSmtpCatcher } from '../../libs/channels/test/smtp-catcher.js';
import { newEmail } from '../factories/ids.js';
import { TestSession } from '../harness/index.js';
import { codeOf, dataOf, type Json } from '../support/answers.js';
import { smtpIntegration } from '../support/delivery.js';
import { operationsOf, readDocument } from '../support/routes.js';
import { joined, SignedInBrowser, tokenOf } from '../support/signed-in-browser.js';
import { useSession, useTestApi } from '../support/test-api.js';

const FROM = 'Herald <herald@example.com>';
const taken: string[] = [];
/** Takes any name and password. */
const lenient = (): Promise<SmtpCatcher> =>
  startSmtpCatcher({
    onAuth: ({ username, password }, _session, done) => {
      taken.push(`${username} ${password}`);
      done(null, { user: username });
    },
  });

let operator: SmtpCatcher;
let own: SmtpCatcher;
beforeAll(async () => {
  [operator, own] = await Promise.all([lenient(), lenient()]);
});
beforeEach(() => {
  for (const { mails } of [operator, own]) mails.splice(0);
});
afterAll(() => Promise.all([operator.close(), own.close()]));

type By = Pick<TestSession, 'post' | 'put' | 'get'>;
const invite = (by: By, body: object = {}): Promise<Json & { url: string; mail: string; email: string }> =>
  dataOf(by.post('/v1/users/invitations', { email: newEmail(), role: 'viewer', ...body }), 201);
const mark = (by: By, id: string, isOn = true) => by.put(`/v1/integrations/${id}/system-mail`, { isOn });

describe('mails of Herald itself', () => {
  const api = useTestApi();
  const session = useSession(api);

  it('should go through nothing that an editor can set up: the link is for whoever made it', async () => {
    await smtpIntegration(session, own.port, { primary: true });
    const editor = await joined(session, 'editor');
    const { mail, mailError, url } = await invite(session, { role: 'owner' });
    expect([mail, mailError]).toEqual(['no_integration', undefined]);
    await new SignedInBrowser(api.url).accept(tokenOf(url));
    const people = await dataOf<{ _id: string; email: string }[]>(session.get('/v1/users'), 200);
    const { _id = '' } = people.find(({ email }) => email === editor.email) ?? {};
    expect(await dataOf(session.post(`/v1/users/${_id}/recovery`), 201)).toMatchObject({ mail: 'no_integration' });
    expect(own.mails).toEqual([]);
  });

  it('should go through the integration that an owner has marked', async () => {
    const id = await smtpIntegration(session, own.port);
    expect(await dataOf(mark(session, id), 200)).toMatchObject({ _id: id, sendsSystemMail: true });
    const { mail, url, email } = await invite(session);
    expect(mail).toBe('sent');
    const [sent] = own.mails;
    expect(sent?.to).toMatchObject({ text: email });
    expect(sent?.text).toContain(url);
    expect(sent?.html).toContain(`href="${url}"`);
    const link = /http\S+#[\w-]+/.exec(sent?.text ?? '')?.[0] ?? '';
    const me = await new SignedInBrowser(api.url).accept(tokenOf(link));
    expect(me.email).toBe(email);
    expect(await dataOf(session.post(`/v1/users/${me._id}/recovery`), 201)).toMatchObject({ mail: 'sent' });
    expect(own.mails[1]?.text).toContain('choose a new password');
    const { body } = await mark(session, id, false).expect(200);
    expect(dataOf<Json>({ body: body as unknown })['sendsSystemMail']).toBeUndefined();
    expect(await invite(session)).toMatchObject({ mail: 'no_integration' });
  });

  it('should not fall back to another integration where the marked one is inactive', async () => {
    const id = await smtpIntegration(session, own.port);
    await mark(session, id).expect(200);
    await smtpIntegration(session, own.port, { primary: true });
    await session.put(`/v1/integrations/${id}`, { active: false }).expect(200);
    expect(await invite(session)).toMatchObject({ mail: 'no_integration' });
    expect(own.mails).toEqual([]);
  });

  it('should still return the link where the mail cannot be sent', async () => {
    await mark(session, await smtpIntegration(session, 1)).expect(200);
    const { mail, mailError, url } = await invite(session);
    expect([mail, mailError]).toEqual(['failed', expect.stringMatching(/./)]);
    await new SignedInBrowser(api.url).accept(tokenOf(url));
  });

  it('should carry nothing that opens another environment', async () => {
    const [development, production] = await api.siblings();
    await mark(development, await smtpIntegration(development, own.port)).expect(200);
    const owner = await joined(development, 'owner');
    await owner.accept(tokenOf((await invite(production, { email: owner.email, role: 'owner' })).url));
    owner.environmentId = development.environmentId;
    const both = [development.environmentId, production.environmentId];
    expect(await invite(owner, { environmentIds: both })).toMatchObject({ mail: 'no_integration' });
    expect(await invite(owner, { environmentIds: [production.environmentId] })).toMatchObject({
      mail: 'no_integration',
    });
    const person = await joined(development, 'viewer');
    await person.accept(tokenOf((await invite(production, { email: person.email })).url));
    const people = await dataOf<{ _id: string; email: string }[]>(development.get('/v1/users'), 200);
    const { _id = '' } = people.find(({ email }) => email === person.email) ?? {};
    own.mails.splice(0);
    expect(await dataOf(owner.post(`/v1/users/${_id}/recovery`), 201)).toMatchObject({ mail: 'no_integration' });
    expect(own.mails).toEqual([]);
    // From whichever environment the request comes, the link decides.
    await mark(production, await smtpIntegration(production, own.port)).expect(200);
    expect(await invite(owner, { environmentIds: [production.environmentId] })).toMatchObject({ mail: 'sent' });
  });
});

describe('an integration that is marked for them', () => {
  const api = useTestApi();
  const session = useSession(api);

  it('should be changed by nobody without the scope admin, in any way', async () => {
    const id = await smtpIntegration(session, own.port);
    const path = `/v1/integrations/${id}`;
    const editor = await joined(session, 'editor');
    const issued = await dataOf<{ key: string }>(
      session.post('/v1/environments/api-keys', { name: 'writes', scopes: ['read', 'write', 'trigger'] }),
      201,
    );
    const key = new TestSession(session.baseUrl, { ...session, apiKey: issued.key });
    await editor.put(path, { name: 'still mine' }).expect(200);
    for (const by of [editor, key]) expect(await codeOf(mark(by, id), 403)).toBe('scope_missing');
    await mark(session, id).expect(200);
    const { body } = await session.get('/v1/integrations').expect(200);
    for (const by of [editor, key]) {
      for (const change of [
        { name: 'mine' },
        { identifier: 'mine' },
        { active: false },
        { conditions: [] },
        { tracking: { opens: true } },
        { messagesPerSecond: 0.01 },
        { retryUncertain: true },
        { credentials: { host: 'evil.example', port: '25', from: 'herald@example.com' } },
        { credentials: null },
      ]) {
        expect(await codeOf(by.put(path, change), 403)).toBe('system_mail_protected');
      }
      expect(await codeOf(by.post(`${path}/set-primary`), 403)).toBe('system_mail_protected');
      expect(await codeOf(by.delete(path), 403)).toBe('system_mail_protected');
      expect(await codeOf(mark(by, id, false), 403)).toBe('scope_missing');
      // Sending the mark along is no way to set or take it.
      const other = await dataOf<{ _id: string }>(
        by.post('/v1/integrations', { providerId: 'nodemailer', channel: 'email', sendsSystemMail: true }),
        201,
      );
      const changed = by.put(`/v1/integrations/${other._id}`, { name: 'other', sendsSystemMail: true });
      expect((await dataOf<Json>(changed, 200))['sendsSystemMail']).toBeUndefined();
      await by.delete(`/v1/integrations/${other._id}`).expect(200);
    }
    expect((await session.get('/v1/integrations').expect(200)).body).toEqual(body);
    await session.put(path, { name: 'by an owner' }).expect(200);
    await session.delete(path).expect(200);
  });

  it('should be refused by every route that changes one integration, except for the scope admin', async () => {
    const id = await smtpIntegration(session, own.port);
    await mark(session, id).expect(200);
    const editor = await joined(session, 'editor');
    const changing = operationsOf(readDocument()).filter(
      ({ method, path, operation }) =>
        path.startsWith('/v1/integrations/{integrationId}') &&
        method !== 'GET' &&
        operation.operationId !== 'checkIntegration',
    );
    expect(changing.length).toBeGreaterThanOrEqual(4);
    for (const { method, path, operation } of changing) {
      const send = { POST: editor.post, PUT: editor.put, DELETE: editor.delete }[method];
      if (send === undefined) throw new Error(`This test does not know how to send ${method}.`);
      const refused = await codeOf(send(path.replace('{integrationId}', id), { name: 'mine', isOn: false }), 403);
      expect([operation.operationId, refused]).toEqual([
        operation.operationId,
        operation.operationId === 'setSystemMail' ? 'scope_missing' : 'system_mail_protected',
      ]);
    }
  });

  it('should stay marked when whoever marked it is an owner no longer', async () => {
    const id = await smtpIntegration(session, own.port);
    const owner = await joined(session, 'owner');
    await mark(owner, id).expect(200);
    const [{ _id } = { _id: '' }] = await dataOf<{ _id: string }[]>(session.get('/v1/users'), 200);
    await session.patch(`/v1/users/${_id}`, { role: 'editor' }).expect(200);
    expect(await codeOf(owner.put(`/v1/integrations/${id}`, { name: 'mine' }), 403)).toBe('system_mail_protected');
    expect(await invite(session)).toMatchObject({ mail: 'sent' });
  });

  it('should send mail, and not keep it', async () => {
    const made = await dataOf<{ _id: string }>(
      session.post('/v1/integrations', { providerId: 'slack', channel: 'chat' }),
      201,
    );
    expect(await codeOf(mark(session, made._id), 400)).toBe('system_mail_not_supported');
    await session.put('/v1/catcher', { isOn: true }).expect(200);
    const all = await dataOf<{ _id: string; channel: string }[]>(session.get('/v1/integrations'), 200);
    const catcher = all.find(({ channel }) => channel === 'email');
    expect(await codeOf(mark(session, catcher?._id ?? ''), 400)).toBe('system_mail_not_supported');
    expect(await codeOf(mark(session, '0123456789abcdef01234567'), 404)).toBe('integration_not_found');
  });
});

describe('the server of the operator', () => {
  const api = useTestApi(() => ({
    SYSTEM_MAIL_URL: `smtp://herald:a%40b@127.0.0.1:${operator.port}`,
    SYSTEM_MAIL_FROM: FROM,
    ALLOW_PRIVATE_URLS: '0',
  }));
  const session = useSession(api);

  it('should carry the mails of all environments, also from a private network', async () => {
    const { mail, url, email } = await invite(session);
    expect(mail).toBe('sent');
    const [sent] = operator.mails;
    expect(sent?.from?.text).toBe('"Herald" <herald@example.com>');
    expect(sent?.to).toMatchObject({ text: email });
    expect(sent?.text).toContain(url);
    expect(taken).toContain('herald a@b');
  });
});
