// An SMTP server that counts the mails of each subject. It sends its port to its parent, and counts on request.
import { SMTPServer } from 'smtp-server';

const counts = new Map();
let total = 0;
const server = new SMTPServer({
  authOptional: true,
  onAuth: (_auth, _session, done) => done(null, { user: 'user' }),
  disabledCommands: ['STARTTLS'],
  disableReverseLookup: true,
  logger: false,
  onData(stream, _session, done) {
    let source = '';
    stream.on('data', (chunk) => (source += chunk.toString('latin1')));
    stream.on('end', () => {
      const subject = /^Subject: (.*)$/im.exec(source)?.[1]?.trim() ?? '?';
      total += 1;
      counts.set(subject, (counts.get(subject) ?? 0) + 1);
      done();
    });
  },
});
server.on('error', () => undefined);
server.listen(0, '127.0.0.1', () => process.send({ port: server.server.address().port }));
process.on('message', (question) => process.send(question === 'counts' ? { counts: [...counts] } : { total }));
process.once('disconnect', () => process.exit());
