import type { AddressInfo } from 'node:net';
import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface SmtpCatcher {
  port: number;
  mails: ParsedMail[];
  raw: string[];
  close(): Promise<void>;
}

/** A real SMTP server on a free loopback port that keeps what it gets. */
export async function startSmtpCatcher(options: SMTPServerOptions = {}): Promise<SmtpCatcher> {
  const mails: ParsedMail[] = [];
  const raw: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    // Clients keep idle connections.
    closeTimeout: 100,
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const source = Buffer.concat(chunks);
        raw.push(source.toString('latin1'));
        simpleParser(source).then((mail) => {
          mails.push(mail);
          done();
        }, done);
      });
    },
    ...options,
  });
  // A client that gives up in the middle is part of some tests.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return { port, mails, raw, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** What a refused command is answered with. */
export function smtpRefusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
