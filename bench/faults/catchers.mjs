// Receivers of mails, pushes and outbound webhooks that refuse some of what they get, at random.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** Parts of the attempts that are refused. */
const REFUSED = { mailLater: 0.25, mailForGood: 0.25, push: 0.2, webhook: 0.2 };

/**
 * @returns `mails` and `pushes`: times of arrival by `event/subscriber`; `webhooks`: how often each message was reported as
 *   sent, by its id; and what integrations need to reach them
 */
export async function startCatchers(random) {
  const mails = new Map();
  const pushes = new Map();
  const webhooks = new Map();
  const unreliable = await startSmtp(mails, () => refusalOf(random()));
  const reliable = await startSmtp(mails, () => undefined);
  const server = createServer((request, response) => {
    text(request).then(
      (source) => {
        const body = JSON.parse(source);
        const isPush = request.url === '/push';
        if (random() < (isPush ? REFUSED.push : REFUSED.webhook)) return void response.writeHead(503).end();
        if (isPush) add(pushes, body.content.split(' ').slice(1).join('/'), Date.now());
        else if (body.type === 'message.sent') add(webhooks, body.data.message._id, Date.now());
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ id: body.id }));
      },
      // The process that called was killed.
      () => response.destroy(),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${server.address().port}`;
  return {
    mails,
    pushes,
    webhooks,
    smtpPorts: [unreliable.port, reliable.port],
    pushUrl: `${url}/push`,
    webhookUrl: `${url}/webhook`,
    close() {
      unreliable.close();
      reliable.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

function add(map, key, value) {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/** @returns the SMTP code of the refusal, or undefined */
function refusalOf(chance) {
  if (chance < REFUSED.mailLater) return 451;
  if (chance < REFUSED.mailLater + REFUSED.mailForGood) return 535;
  return undefined;
}

async function startSmtp(mails, refusal) {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 100,
    onAuth(_auth, _session, done) {
      const code = refusal();
      if (code === undefined) return done(null, { user: 'user' });
      done(Object.assign(new Error('refused at random'), { responseCode: code }));
    },
    onData(stream, _session, done) {
      let source = '';
      stream.on('data', (chunk) => (source += chunk.toString('latin1')));
      stream.on('end', () => {
        const [, event, subscriber] = (/^Subject: (.*)$/im.exec(source)?.[1] ?? '').trim().split(' ');
        add(mails, `${event}/${subscriber}`, Date.now());
        done();
      });
    },
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return { port: server.server.address().port, close: () => server.close() };
}
