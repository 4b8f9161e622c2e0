// Receivers of mails, pushes and outbound webhooks that refuse some of what they get, at random.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { startOutages } from './guards.mjs';

/** Parts of the attempts that are refused. */
const REFUSED = { mailLater: 0.25, mailForGood: 0.25, push: 0.2, text: 0.2, chat: 0.2, webhook: 0.2 };
const ENGAGEMENTS = { 'message.clicked': 'clicked', 'message.opened': 'opened' };

/**
 * @returns `mails`, `pushes`, `texts` and `chats`: times of arrival by `event/subscriber`; `digests`: how many of the chats came in a
 *   digest; `webhooks`: how often each message was reported as sent, by its id; `engagements`: by the id of the webhook; `links`: of mails, to
 *   be followed; `pushOutages`: of the receiver of pushes; and what integrations need to reach them
 */
export async function startCatchers(random) {
  const pushOutages = startOutages(random);
  const mails = new Map();
  const pushes = new Map();
  const texts = new Map();
  const chats = new Map();
  const digests = { messages: 0, count: 0 };
  const webhooks = new Map();
  const engagements = new Map();
  const links = [];
  const unreliable = await startSmtp({ mails, links }, () => refusalOf(random()));
  const reliable = await startSmtp({ mails, links }, () => undefined);
  const take = takers({ pushes, texts, chats, digests, webhooks, engagements });
  const server = createServer((request, response) => {
    text(request).then(
      (source) => {
        const body = JSON.parse(source);
        const what = request.url.slice(1);
        const isUp = what !== 'push' || pushOutages.ask();
        if (!isUp || random() < REFUSED[what]) return void response.writeHead(503).end();
        take[what](body);
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
    texts,
    chats,
    digests,
    webhooks,
    engagements,
    links,
    pushOutages,
    smtpPorts: [unreliable.port, reliable.port],
    pushUrl: `${url}/push`,
    textUrl: `${url}/text`,
    chatUrl: `${url}/chat`,
    webhookUrl: `${url}/webhook`,
    close() {
      pushOutages.end();
      unreliable.close();
      reliable.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

/** What is done with a request, by its path. */
function takers({ pushes, texts, chats, digests, webhooks, engagements }) {
  return {
    push: ({ content }) => add(pushes, keyOf(content), Date.now()),
    text: ({ content }) => add(texts, keyOf(content), Date.now()),
    chat({ content }) {
      const [first, ...rest] = content.split(' ');
      if (first !== 'held') return add(chats, keyOf(content), Date.now());
      const held = rest.join(' ').split(';').filter(Boolean);
      digests.count += 1;
      digests.messages += held.length;
      for (const one of held) add(chats, keyOf(one), Date.now());
    },
    webhook({ id, type, data }) {
      if (type === 'message.sent') add(webhooks, data.message._id, Date.now());
      else engagements.set(id, `${data.message._id} ${ENGAGEMENTS[type]}`);
    },
  };
}

/** `sms 7 b1` -> `7/b1` */
function keyOf(content) {
  return content.trim().split(' ').slice(1).join('/');
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

async function startSmtp({ mails, links }, refusal) {
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
        links.push(...linksIn(source));
        done();
      });
    },
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return { port: server.server.address().port, close: () => server.close() };
}

/** The paths of tracked links and pictures in a mail. */
function linksIn(source) {
  const html = source.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
  return [...html.matchAll(/https?:\/\/[^"\s/]+(\/(?:click|open)\/[\w-]+)/g)].map(([, path]) => path);
}
