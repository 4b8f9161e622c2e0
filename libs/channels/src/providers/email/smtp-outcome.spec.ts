import { createServer, isIP, type AddressInfo, type Socket } from 'node:net';
import type { EmailMessage } from '../../core/messages.js';
import { createChannelRegistry } from '../../create-channel-registry.js';
import type { SendResult } from '../../index.js';
import { hasTooManyConnections } from './smtp-error.js';
import { SmtpTokens } from './smtp-tokens.js';
import { SmtpTransports } from './smtp-transports.js';
import { failureOf } from '../../../test/failure-of.js';
import { startSmtpCatcher, type SmtpCatcher } from '../../../test/smtp-catcher.js';

const message: EmailMessage = {
  channel: 'email',
  id: '65f0c0ffee',
  to: ['ada@example.com'],
  from: 'news@herald.example',
  subject: 'Hello',
  html: '<p>Hello</p>',
};

describe('SmtpProvider at servers that fail, and at what is no mail server', () => {
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
  const send = (port: number, timeoutMs?: number): Promise<SendResult> =>
    registry.send('email', 'nodemailer', message, {
      credentials: credentials(port),
      idempotencyKey: message.id,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });

  afterAll(async () => {
    await registry.close();
    await Promise.all(catchers.map((catcher) => catcher.close()));
  });

  /** A minimal server that answers each line of the client as configured. */
  const scripted = async (greeting: string, answer: (line: string, socket: Socket) => string | undefined) => {
    const seen: string[] = [];
    const server = createServer((socket) => {
      let isData = false;
      let rest = '';
      socket.on('error', () => undefined);
      socket.write(`${greeting}\r\n`);
      socket.on('data', (chunk) => {
        const lines = (rest + chunk.toString()).split('\r\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          if (isData && line !== '.') continue;
          isData = line === 'DATA';
          seen.push(line);
          const reply = answer(line, socket);
          if (reply !== undefined) socket.write(`${reply}\r\n`);
        }
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const close = (): Promise<void> => new Promise((resolve) => void server.close(() => resolve()));
    return { port: (server.address() as AddressInfo).port, seen, close };
  };
  const dialogue = (line: string): string => (line === 'DATA' ? '354 go on' : '250 ok');

  describe('send, when the connection is lost', () => {
    it.each([
      ['before the server has seen the message', 'MAIL', 'not_sent'],
      ['when the message is asked for', 'DATA', 'not_sent'],
      ['after the dot that ends the message', '.', 'uncertain'],
    ])('should tell whether the message may have been sent: %s', async (_name, last, outcome) => {
      const server = await scripted('220 mail.example ESMTP', (line, socket) => {
        if (!line.startsWith(last)) return dialogue(line);
        socket.destroy();
        return undefined;
      });
      await expect(send(server.port)).rejects.toMatchObject({ retryable: true, outcome });
      expect(server.seen.filter((line) => line === '.')).toHaveLength(last === '.' ? 1 : 0);
      await server.close();
    });

    it('should call a message unsure that no reply follows in time', async () => {
      const open: Socket[] = [];
      const server = await scripted('220 mail.example ESMTP', (line, socket) => {
        if (line !== '.') return dialogue(line);
        open.push(socket);
        return undefined;
      });
      await expect(send(server.port, 2_000)).rejects.toMatchObject({ code: 'timeout', outcome: 'uncertain' });
      open.forEach((socket) => socket.destroy());
      await server.close();
    });

    it.each([
      ['451 try later', { code: 'unavailable', retryable: true }],
      ['421 4.3.2 Service shutting down', { code: 'unavailable', retryable: true }],
      ['421 4.7.28 Our system has detected an unusual rate', { code: 'rate_limited', retryAfterMs: 60_000 }],
      ['554 spam', { code: 'rejected', retryable: false }],
    ])('should take a refusal of the whole message for one: %s', async (reply, expected) => {
      const server = await scripted('220 mail.example ESMTP', (line) => (line === '.' ? reply : dialogue(line)));
      await expect(send(server.port)).rejects.toMatchObject({ ...expected, outcome: 'not_sent' });
      await registry.close();
      await server.close();
    });
  });

  describe('send, when the server wants the mail later', () => {
    it.each([
      [
        '450 4.2.0 <ada@example.com>: Recipient address rejected: Greylisted',
        { code: 'greylisted', retryAfterMs: 300_000 },
      ],
      ['451 4.7.1 Greylisting in action, please come back in 00:01:00', { code: 'greylisted', retryAfterMs: 300_000 }],
      ['451 4.7.1 Grey-listed, retry in 120 seconds', { code: 'greylisted', retryAfterMs: 120_000 }],
      ['452 4.5.3 Too many recipients, wait 2 minutes', { code: 'rate_limited', retryAfterMs: 120_000 }],
      ['450 4.1.1 mailbox busy', { code: 'mailbox_deferred', retryable: true }],
      // Of one recipient, so no reason to leave the server alone.
      ['452 4.2.2 The email account is over quota', { code: 'mailbox_deferred', retryable: true }],
      ['452 4.3.1 Insufficient system storage', { code: 'unavailable', retryable: true }],
      ['550 5.7.1 Greylisting is not what this is', { code: 'rejected', retryable: false }],
    ])('should tell it from a refusal: %s', async (reply, expected) => {
      const server = await scripted('220 mail.example ESMTP', (line) =>
        line.startsWith('RCPT') ? reply : dialogue(line),
      );
      await expect(send(server.port)).rejects.toMatchObject({ retryable: true, outcome: 'not_sent', ...expected });
      await registry.close();
      await server.close();
    });
  });

  describe('send, at a server that refuses connections above a number', () => {
    const OPEN = 3;
    const sendAll = (port: number, count: number): Promise<SendResult[]> =>
      Promise.all(
        Array.from({ length: count }, (_, n) =>
          registry.send(
            'email',
            'nodemailer',
            { ...message, id: `m${n}` },
            { credentials: credentials(port), idempotencyKey: `m${n}` },
          ),
        ),
      );

    it('should send every mail once over those that it takes, and no longer try as many', async () => {
      const { port, mails } = await start({ maxClients: OPEN });
      const limit = (): number | undefined => registry.get('email', 'nodemailer')?.concurrency?.(credentials(port));
      expect(limit()).toBe(40);
      const results = await sendAll(port, 100);
      expect(results).toHaveLength(100);
      expect(mails.map(({ messageId }) => messageId).toSorted()).toEqual(
        Array.from({ length: 100 }, (_, n) => `<m${n}@herald.example>`).toSorted(),
      );
      expect(limit()).toBeLessThan(40);
    });

    it('should send a mail again that was refused as a whole', async () => {
      const answers = ['432 4.3.2 Concurrent connections limit exceeded', '250 ok'];
      const server = await scripted('220 mail.example ESMTP', (line) =>
        line === '.' ? answers.shift() : dialogue(line),
      );
      await expect(send(server.port)).resolves.toMatchObject({ id: '<65f0c0ffee@herald.example>' });
      expect(server.seen.filter((line) => line === '.')).toHaveLength(2);
      await registry.close();
      await server.close();
    });

    it('should know that a mail was not sent that was refused as a whole and gets no further answer', async () => {
      const open: Socket[] = [];
      let isRefused = false;
      const server = await scripted('220 mail.example ESMTP', (line, socket) => {
        open.push(socket);
        if (isRefused) return undefined;
        isRefused = line === '.';
        return isRefused ? '432 4.3.2 Concurrent connections limit exceeded' : dialogue(line);
      });
      await expect(send(server.port, 2_000)).rejects.toMatchObject({ code: 'timeout', outcome: 'not_sent' });
      open.forEach((socket) => socket.destroy());
      await registry.close();
      await server.close();
    });

    it('should use three connections to Microsoft 365', () => {
      const provider = registry.get('email', 'outlook365');
      expect(provider?.concurrency?.({ from: 'news@herald.example', password: 'p' })).toBe(3);
    });

    it('should give up in time, for another try later', async () => {
      const server = await scripted(
        '421 4.7.0 mail.example Error: too many connections from 127.0.0.1',
        () => undefined,
      );
      await expect(send(server.port, 2_000)).rejects.toMatchObject({
        code: 'rate_limited',
        retryable: true,
        outcome: 'not_sent',
      });
      await server.close();
    });

    it.each([
      ['421 4.7.0 mail.example Error: too many connections from 192.0.2.1', true],
      ['421 mail.example Too many connected clients, try again in a moment', true],
      ['421 Too many concurrent SMTP connections; please try again later.', true],
      ['432 4.3.2 Concurrent connections limit exceeded', true],
      ['432 4.3.2 STOREDRV.ClientSubmit; sender thread limit exceeded', true],
      ['452 4.5.3 Too many recipients', false],
      ['421 4.3.2 Service shutting down', false],
      ['550 5.7.1 too many connections', false],
    ])('should tell it by the reply: %s', (response, expected) => {
      expect(hasTooManyConnections({ response, responseCode: Number(response.slice(0, 3)) })).toBe(expected);
    });

    it('should leave out a quarter for each burst, keep one, and try one more every two seconds', async () => {
      let now = 0;
      const tokens = new SmtpTokens(undefined as never);
      const transports = new SmtpTransports(undefined, tokens, 40, () => now);
      const connection = credentials(1);
      const pool = await transports.pool(connection);
      const after = (ms: number): number => {
        now += ms;
        pool.narrow();
        return transports.limit({ ...connection });
      };
      expect([0, 100, 500, 500, 500, 500, 500].map(after)).toEqual([30, 30, 22, 16, 12, 9, 6]);
      expect([500, 500, 500, 500, 500].map(after)).toEqual([4, 3, 2, 1, 1]);
      const grown = [1_999, 1, 1_999, 4_001, 600_000].map((ms) => {
        now += ms;
        return transports.limit(connection);
      });
      expect(grown).toEqual([1, 2, 2, 5, 40]);
      expect([after(0), after(6_000)]).toEqual([30, 24]);
      transports.close();
    });
  });

  describe('send and check, at something that is no mail server', () => {
    it.each(['-ERR inner banner secret=42', 'HTTP/1.1 400 secret=42', 'secret=42'])(
      'should not repeat what it says: %s',
      async (greeting) => {
        const server = await scripted(greeting, () => undefined);
        const checking = registry.check('email', 'nodemailer', credentials(server.port), 20_000);
        const failures = [await failureOf(send(server.port)), await failureOf(checking)];
        for (const failure of failures) {
          expect(failure.message).toContain('does not speak SMTP');
          expect(`${failure.message} ${JSON.stringify(failure.raw)}`).not.toContain('secret');
        }
        await server.close();
      },
    );
  });

  describe('send and check, where private addresses are not allowed', () => {
    it('should connect to nothing private, under whichever name', async () => {
      let connections = 0;
      const catcher = await start({
        onConnect: (_session, done) => {
          connections += 1;
          done();
        },
      });
      const guarded = createChannelRegistry({ allowPrivateUrls: false });
      for (const host of ['127.0.0.1', 'localhost', '0x7f.1', '2130706433', '::ffff:7f00:1', '169.254.169.254']) {
        const keys = credentials(catcher.port, { host });
        const sending = guarded.send('email', 'nodemailer', message, { credentials: keys, idempotencyKey: 'k' });
        const isName = isIP(host) === 0;
        const expected = { code: 'url_not_allowed', retryable: isName, outcome: 'not_sent' };
        await expect(sending).rejects.toMatchObject(expected);
        await expect(guarded.check('email', 'nodemailer', keys)).rejects.toMatchObject(expected);
      }
      expect(connections).toBe(0);
      await guarded.close();
    });

    it.each([
      ['a refused connection', 'localhost', 'could not be reached'],
      ['a name that is not found', 'mail.invalid', 'could not be reached'],
    ])('should call %s a fault that can pass', async (_name, host, words) => {
      const guarded = createChannelRegistry({ allowPrivateUrls: false, privateHosts: ['localhost', 'mail.invalid'] });
      const sending = guarded.send('email', 'nodemailer', message, {
        credentials: credentials(1, { host }),
        idempotencyKey: 'k',
      });
      const expected = { code: 'unreachable', retryable: true, outcome: 'not_sent' };
      await expect(sending).rejects.toMatchObject({ ...expected, message: expect.stringContaining(words) as string });
      await guarded.close();
    });

    it('should reach a host that is listed, over a socket of its own, with TLS for its name', async () => {
      const catcher = await start({ disabledCommands: [] });
      const guarded = createChannelRegistry({ allowPrivateUrls: false, privateHosts: ['LOCALHOST'] });
      const keys = credentials(catcher.port, {
        host: 'localhost',
        requireTls: true,
        tlsOptions: { rejectUnauthorized: false },
      });
      await guarded.check('email', 'nodemailer', keys);
      await guarded.send('email', 'nodemailer', message, { credentials: keys, idempotencyKey: 'k' });
      expect(catcher.mails).toHaveLength(1);
      await guarded.close();
    });
  });
});
