// An HTTP server that accepts what chat and push services get, and counts it. It sends its port to its parent, and answers its questions.
import { createServer } from 'node:http';

const TOKEN = JSON.stringify({ access_token: 'token', expires_in: 3_600 });
const JSON_TYPE = { 'content-type': 'application/json' };

/** By the first part of the path: how many, when the latest came, and what it was. */
const kinds = new Map();
let total = 0;

const server = createServer((request, response) => {
  const { method, url: path, headers } = request;
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    if (path === '/token') return void response.writeHead(200, JSON_TYPE).end(TOKEN);
    total += 1;
    const kind = path.split('/', 2)[1];
    const count = (kinds.get(kind)?.count ?? 0) + 1;
    kinds.set(kind, { count, at: performance.timeOrigin + performance.now(), latest: { method, path, headers, body } });
    response.writeHead(200, JSON_TYPE).end(`{"id":"${total}","name":"messages/${total}"}`);
  });
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('message', (question) => process.send(question === 'total' ? { total } : { kinds: [...kinds] }));
process.once('disconnect', () => process.exit());
