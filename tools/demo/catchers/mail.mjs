import { simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

/** What connections may take to end; a Herald that runs on keeps its pooled ones open. */
const CLOSE_WITHIN_MS = 200;

/**
 * An SMTP server on a free loopback port that takes every mail and passes none on.
 * @returns {Promise<{ kind: 'smtp', port: number, arrivals: object[], close(): Promise<void> }>}
 */
export async function startMailCatcher() {
  const arrivals = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: CLOSE_WITHIN_MS,
    onData(stream, _session, done) {
      simpleParser(stream).then((mail) => {
        arrivals.push({ at: performance.now(), ...readable(mail) });
        done();
      }, done);
    },
  });
  // A connection that breaks off brings no mail, and the wait for the mail says so.
  server.on('error', () => undefined);
  await new Promise((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.server.address();
  return { kind: 'smtp', port, arrivals, close: () => new Promise((resolve) => server.close(resolve)) };
}

function readable({ subject, from, to, text, messageId }) {
  return { subject, from: from?.text, to: to?.text, text: text?.trim(), messageId };
}
