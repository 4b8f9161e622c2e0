// The lower bound of mail: nodemailer with a pool of connections and nothing else. Its parent sends { count } and gets { seconds }.
//   node bench/baselines/mailer.mjs <port>, with an IPC channel
import { createTransport } from 'nodemailer';

/** As many connections as Herald uses for one server. */
const MAX_CONNECTIONS = 40;
const transport = createTransport({
  host: '127.0.0.1',
  port: Number(process.argv[2]),
  auth: { user: 'user', pass: 'password' },
  ignoreTLS: true,
  pool: true,
  maxConnections: MAX_CONNECTIONS,
  maxMessages: Infinity,
});

process.once('disconnect', () => process.exit());
process.on('message', async ({ count }) => {
  const started = performance.now();
  const mails = Array.from({ length: count }, (_, n) =>
    transport.sendMail({
      from: 'Sender <sender@example.com>',
      to: `s${n}@example.com`,
      subject: `Alone ${n}`,
      html: '<p>Hello Ada</p>',
      text: 'Hello Ada',
    }),
  );
  await Promise.all(mails);
  process.send({ seconds: (performance.now() - started) / 1_000 });
});
process.send('ready');
