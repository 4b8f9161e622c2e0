// An SMTP server that takes every mail and keeps none.
import { SMTPServer } from 'smtp-server';

const server = new SMTPServer({
  authOptional: true,
  onAuth: (_auth, _session, done) => done(null, { user: 'user' }),
  disabledCommands: ['STARTTLS'],
  disableReverseLookup: true,
  logger: false,
  onData(stream, _session, done) {
    stream.on('data', () => undefined);
    stream.on('end', () => done());
  },
});
server.on('error', () => undefined);
server.listen(0, '127.0.0.1', () => process.send({ port: server.server.address().port }));
