import { generateKeyPairSync } from 'node:crypto';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { EmailMessage } from '../../core/messages.js';
import { createChannelRegistry } from '../../create-channel-registry.js';
import { smtpRefusal, startSmtpCatcher, type SmtpCatcher } from '../../../test/smtp-catcher.js';

const message: EmailMessage = {
  channel: 'email',
  id: '65f0c0ffee',
  to: ['ada@example.com', 'bob@example.com'],
  from: 'news@herald.example',
  senderName: 'Herald News',
  subject: 'Größe ✓',
  html: '<p>Hello</p>',
  text: 'Hello',
  cc: ['carl@example.com'],
  bcc: ['dora@example.com'],
  replyTo: 'reply@herald.example',
  headers: { 'X-Campaign': 'spring' },
  attachments: [{ name: 'a.pdf', mime: 'application/pdf', content: Buffer.from('%PDF-1') }],
};

describe('SmtpProvider', () => {
  const registry = createChannelRegistry({ allowPrivateUrls: true, timeoutMs: 120_000 });
  const catchers: SmtpCatcher[] = [];
  const start = async (...args: Parameters<typeof startSmtpCatcher>): Promise<SmtpCatcher> => {
    const catcher = await startSmtpCatcher(...args);
    catchers.push(catcher);
    return catcher;
  };
  const credentials = (port: number, more: Record<string, unknown> = {}): Record<string, unknown> => ({
    host: '127.0.0.1',
    port: String(port),
    from: 'news@herald.example',
    senderName: 'Herald News',
    ...more,
  });
  const send = (port: number, more: Record<string, unknown> = {}, timeoutMs?: number) =>
    registry.send('email', 'nodemailer', message, {
      credentials: credentials(port, more),
      idempotencyKey: message.id,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });

  afterAll(async () => {
    await registry.close();
    await Promise.all(catchers.map((catcher) => catcher.close()));
  });

  describe('send', () => {
    it('should deliver the whole message', async () => {
      const catcher = await start();
      const result = await send(catcher.port);
      const mail = catcher.mails[0];
      expect(result.id).toBe('<65f0c0ffee@herald.example>');
      expect(mail?.messageId).toBe('<65f0c0ffee@herald.example>');
      expect(mail?.subject).toBe('Größe ✓');
      expect(mail?.from?.value).toEqual([{ address: 'news@herald.example', name: 'Herald News' }]);
      expect(mail?.to).toMatchObject({ text: 'ada@example.com, bob@example.com' });
      expect(mail?.cc).toMatchObject({ text: 'carl@example.com' });
      expect(mail?.bcc).toBeUndefined();
      expect(mail?.replyTo?.text).toBe('reply@herald.example');
      expect(mail?.headers.get('x-campaign')).toBe('spring');
      expect(mail?.html).toBe('<p>Hello</p>');
      expect(mail?.text?.trim()).toBe('Hello');
      expect(
        mail?.attachments.map(({ filename, contentType, content }) => [filename, contentType, content.toString()]),
      ).toEqual([['a.pdf', 'application/pdf', '%PDF-1']]);
      expect(result.raw).toMatchObject({
        accepted: ['ada@example.com', 'bob@example.com', 'carl@example.com', 'dora@example.com'],
      });
    });

    it('should greet with a name that has a domain', async () => {
      const names: (string | undefined)[] = [];
      const catcher = await start({
        onMailFrom: (_address, { hostNameAppearsAs }, done) => {
          names.push(hostNameAppearsAs);
          done();
        },
      });
      await send(catcher.port);
      const named = createChannelRegistry({ allowPrivateUrls: true, helloName: 'mail.example.com' });
      const options = { credentials: credentials(catcher.port), idempotencyKey: 'k' };
      await named.send('email', 'nodemailer', message, options).finally(() => named.close());
      expect(names).toEqual(['herald.example', 'mail.example.com']);
    });

    it.each([
      `Your order ${'x'.repeat(120)} is on its way`,
      'x'.repeat(1_900),
      'ab  cd '.repeat(30).trim(),
      '=?utf-8?Q?not_encoded?=',
      'Order 7, 50% off: "now" '.repeat(10).trim(),
      'Größe '.repeat(40).trim(),
    ])('should send the subject as it is: %s', async (subject) => {
      const catcher = await start();
      const options = { credentials: credentials(catcher.port), idempotencyKey: message.id };
      await registry.send('email', 'nodemailer', { ...message, subject }, options);
      expect(catcher.mails[0]?.subject).toBe(subject);
      const [head = ''] = (catcher.raw[0] ?? '').split('\r\n\r\n');
      const lines = head.split('\r\n');
      expect(lines.filter((line) => line.length > 78 || /^Subject:\s*$/.test(line))).toEqual([]);
    });

    it('should use one connection for messages with the same credentials', async () => {
      let connections = 0;
      const catcher = await start({
        onConnect: (_session, done) => {
          connections += 1;
          done();
        },
      });
      await send(catcher.port);
      await send(catcher.port);
      expect(catcher.mails).toHaveLength(2);
      expect(connections).toBe(1);
    });

    it('should sign with DKIM when domain, key and selector are given', async () => {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
      const catcher = await start();
      await send(catcher.port, {
        domain: 'herald.example',
        secretKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
        accountSid: 'mail2026',
      });
      expect(catcher.raw[0]).toMatch(/DKIM-Signature: v=1;[^]*d=herald\.example;[^]*s=mail2026;/);
    });

    it('should log in and upgrade with STARTTLS as demanded', async () => {
      const catcher = await start({
        authOptional: false,
        disabledCommands: [],
        onAuth: ({ username, password }, _session, done) =>
          username === 'me' && password === 'open sesame' ? done(null, { user: 'me' }) : done(smtpRefusal(535, 'no')),
      });
      const tls = { requireTls: true, tlsOptions: { rejectUnauthorized: false } };
      await send(catcher.port, { user: 'me', password: 'open sesame', ...tls });
      await send(catcher.port, { host: ' 127.0.0.1\n', user: 'me ', password: ' open sesame\n', ...tls });
      expect(catcher.mails).toHaveLength(2);
      await expect(send(catcher.port, { user: 'me', password: 'wrong-pass', ...tls })).rejects.toMatchObject({
        code: 'unauthorized',
        retryable: false,
        message: expect.not.stringContaining('wrong-pass') as string,
      });
    });

    it('should call a certificate that does not fit final', async () => {
      const catcher = await start({ disabledCommands: [] });
      await expect(send(catcher.port, { requireTls: true })).rejects.toMatchObject({ retryable: false });
    });

    it.each([
      ['a 4xx reply', 451, { code: 'unavailable', retryable: true, statusCode: 451 }],
      ['a 5xx reply', 550, { code: 'rejected', retryable: false, statusCode: 550 }],
    ])('should tell whether %s can pass', async (_name, reply, expected) => {
      const catcher = await start({ onRcptTo: (_address, _session, done) => done(smtpRefusal(reply, 'not now')) });
      await expect(send(catcher.port)).rejects.toMatchObject(expected);
    });

    it('should call a refused connection a fault that can pass', async () => {
      await expect(send(1)).rejects.toMatchObject({ code: 'unreachable', retryable: true });
    });

    it('should give up on a silent server when the time is over', async () => {
      const sockets: Socket[] = [];
      const silent = createServer((socket) => sockets.push(socket));
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
      const { port } = silent.address() as AddressInfo;
      await expect(send(port, {}, 100)).rejects.toMatchObject({ code: 'timeout', retryable: true });
      sockets.forEach((socket) => socket.destroy());
      await new Promise((resolve) => silent.close(resolve));
    });

    it('should name what is missing before connecting', async () => {
      await expect(send(0, { host: '', port: 25 })).rejects.toMatchObject({
        code: 'credentials_incomplete',
        message: expect.stringMatching(/credentials\.host is required.*credentials\.port must be/) as string,
      });
    });
  });

  describe('send, through outlook365', () => {
    it('should insist on STARTTLS and log in with the sender', async () => {
      const users: string[] = [];
      const catcher = await start({
        authOptional: false,
        disabledCommands: [],
        onAuth: ({ username }, _session, done) => {
          users.push(username ?? '');
          done(null, { user: username });
        },
      });
      const server = { host: '127.0.0.1', port: String(catcher.port), tlsOptions: { rejectUnauthorized: false } };
      const from = { from: 'news@herald.example', password: 'open sesame' };
      await registry.send('email', 'outlook365', message, { credentials: { ...from, ...server }, idempotencyKey: 'k' });
      expect(users).toEqual(['news@herald.example']);
      expect(catcher.mails).toHaveLength(1);
      const plain = await start();
      const sending = registry.send('email', 'outlook365', message, {
        credentials: { ...from, ...server, port: String(plain.port) },
        idempotencyKey: 'k',
      });
      await expect(sending).rejects.toMatchObject({ name: 'ProviderError' });
      expect(plain.mails).toHaveLength(0);
    });
  });

  describe('check', () => {
    it('should accept a login that works and leave no mail', async () => {
      const catcher = await start();
      await registry.check('email', 'nodemailer', credentials(catcher.port), 120_000);
      expect(catcher.mails).toHaveLength(0);
    });

    it('should refuse a wrong password with the reason', async () => {
      const catcher = await start({
        authOptional: false,
        disabledCommands: ['STARTTLS'],
        onAuth: (_auth, _session, done) => done(smtpRefusal(535, 'bad login')),
      });
      const check = registry.check(
        'email',
        'nodemailer',
        credentials(catcher.port, { user: 'me', password: 'nope-nope' }),
      );
      await expect(check).rejects.toMatchObject({
        code: 'unauthorized',
        message: expect.stringContaining('bad login') as string,
      });
    });
  });
});
