import { createHmac, randomBytes, randomInt } from 'node:crypto';
import { createServer } from 'node:http';
import { arrayBuffer, text } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export const DISCORD_PATH = '/api/webhooks/1/demo';
export const PUSH_PATH = '/push';

/** How long open connections may take to end; a Herald that keeps running holds its pooled ones open. */
const CLOSE_WITHIN_MS = 200;

/**
 * Local servers that receive the messages instead of real providers.
 * @param ports of the two servers; 0 lets the system choose one
 * @param onArrival called with the kind of catcher and each message
 * @param hasHtml whether mails have their `html`
 * @returns the catchers `mail` and `http`, what integrations need to reach them, and `close()`
 */
export async function startCatchers({
  ports = { mail: 0, http: 0 },
  onArrival = () => undefined,
  hasHtml = false,
} = {}) {
  const pushSecret = randomBytes(16).toString('hex');
  const keep = (kind) => (arrivals, message) => {
    arrivals.push({ at: performance.now(), ...message });
    onArrival(kind, message);
  };
  const [mail, http] = await Promise.all([
    startMailCatcher(ports.mail, keep('mail'), hasHtml),
    startHttpCatcher(ports.http, keep('http'), pushSecret),
  ]);
  return {
    mail,
    http,
    smtp: { host: '127.0.0.1', port: String(mail.port) },
    discordUrl: http.url + DISCORD_PATH,
    push: { webhookUrl: http.url + PUSH_PATH, secretKey: pushSecret },
    close: async () => {
      await Promise.all([mail.close(), http.close()]);
    },
  };
}

/** An SMTP server that accepts every mail and relays none. */
async function startMailCatcher(wanted, keep, hasHtml) {
  const arrivals = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: CLOSE_WITHIN_MS,
    onData(stream, _session, done) {
      receiveMail(stream, hasHtml).then((mail) => {
        keep(arrivals, mail);
        done();
      }, done);
    },
  });
  // A lost connection delivers no mail, which the wait for the mail reports.
  server.on('error', () => undefined);
  const port = await listen(wanted, server.server, server);
  return { kind: 'smtp', port, arrivals, close: () => new Promise((resolve) => server.close(resolve)) };
}

async function receiveMail(stream, hasHtml) {
  const { subject, from, to, text, html, messageId, attachments } = await PostalMime.parse(await arrayBuffer(stream));
  return {
    subject,
    from: from && addressText(from),
    to: to?.map(addressText).join(', '),
    text: (text ?? html)?.trim(),
    messageId,
    ...(attachments.length > 0 && { attachments: attachments.map(({ filename }) => filename) }),
    ...(hasHtml && { html }),
  };
}

function addressText({ name, address, group }) {
  if (group) return `${name}: ${group.map(addressText).join(', ')};`;
  return name ? `"${name}" <${address}>` : address;
}

/** An HTTP server that answers as Discord's webhooks do, and as a push webhook that checks signatures. */
async function startHttpCatcher(wanted, keep, pushSecret) {
  const arrivals = [];
  const server = createServer((request, response) => {
    handle(request, pushSecret).then(
      ({ status, answer, received }) => {
        if (received) keep(arrivals, received);
        response.writeHead(status, { 'content-type': 'application/json' }).end(answer && JSON.stringify(answer));
      },
      (error) => response.writeHead(400).end(JSON.stringify({ message: error.message })),
    );
  });
  const url = `http://127.0.0.1:${await listen(wanted, server)}`;
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  return { kind: 'http', url, arrivals, close };
}

async function handle(request, pushSecret) {
  const source = await text(request);
  const { pathname: path, searchParams } = new URL(request.url, 'http://localhost');
  if (path === DISCORD_PATH) return discord(path, JSON.parse(source), searchParams.get('wait') === 'true');
  if (path === PUSH_PATH) return push(path, source, request.headers['x-novu-signature'], pushSecret);
  return { status: 404, answer: { message: 'Unknown Webhook', code: 10015 } };
}

/** Without `wait=true` Discord answers before it stores the message, with an empty body. */
function discord(path, body, isWaiting) {
  if (typeof body.content !== 'string' || body.content === '') {
    return { status: 400, answer: { message: 'Cannot send an empty message', code: 50006 } };
  }
  const received = { path, body };
  if (!isWaiting) return { status: 204, received };
  const id = String(randomInt(2 ** 47));
  return { status: 200, answer: { id, type: 0, content: body.content }, received };
}

function push(path, source, signature, secret) {
  const expected = createHmac('sha256', secret).update(source).digest('hex');
  if (signature !== expected) return { status: 401, answer: { message: 'The signature is wrong' } };
  const body = JSON.parse(source);
  return { status: 200, answer: { id: body.id }, received: { path, body } };
}

/** Listens on a loopback port and returns it. */
async function listen(port, server, listener = server) {
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    listener.listen(port, '127.0.0.1', resolve);
  });
  return server.address().port;
}
