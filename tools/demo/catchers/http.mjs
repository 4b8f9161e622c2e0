import { createHmac, randomInt } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

export const DISCORD_PATH = '/api/webhooks/1/demo';
export const PUSH_PATH = '/push';

/**
 * An HTTP server on a free loopback port that answers as Discord's webhooks do, and as a push webhook that checks
 * the signature of what it gets.
 * @param pushSecret the key that pushes must be signed with
 * @returns {Promise<{ kind: 'http', url: string, arrivals: object[], close(): Promise<void> }>}
 */
export async function startHttpCatcher(pushSecret) {
  const arrivals = [];
  const server = createServer((request, response) => {
    take(request, pushSecret).then(
      ({ status, answer, body }) => {
        if (status < 300) arrivals.push({ at: performance.now(), path: pathOf(request).pathname, body });
        response.writeHead(status, { 'content-type': 'application/json' }).end(answer && JSON.stringify(answer));
      },
      (error) => response.writeHead(400).end(JSON.stringify({ message: error.message })),
    );
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  return { kind: 'http', url: `http://127.0.0.1:${server.address().port}`, arrivals, close };
}

async function take(request, pushSecret) {
  const source = await text(request);
  const { pathname, searchParams } = pathOf(request);
  if (request.method === 'POST' && pathname === DISCORD_PATH) return discord(JSON.parse(source), searchParams);
  if (request.method === 'POST' && pathname === PUSH_PATH) return push(source, request.headers, pushSecret);
  return { status: 404, answer: { message: 'Unknown Webhook', code: 10015 } };
}

/** Without `wait=true` Discord answers before the message is stored, and with nothing. */
function discord(body, query) {
  if (typeof body.content !== 'string' || body.content === '') {
    return { status: 400, answer: { message: 'Cannot send an empty message', code: 50006 } };
  }
  if (query.get('wait') !== 'true') return { status: 204, body };
  const id = String(randomInt(2 ** 47));
  return { status: 200, answer: { id, type: 0, content: body.content, timestamp: new Date().toISOString() }, body };
}

function push(source, headers, secret) {
  const signature = createHmac('sha256', secret).update(source).digest('hex');
  if (headers['x-novu-signature'] !== signature) return { status: 401, answer: { message: 'The signature is wrong' } };
  const body = JSON.parse(source);
  return { status: 200, answer: { id: body.id }, body };
}

function pathOf({ url }) {
  return new URL(url, 'http://localhost');
}
