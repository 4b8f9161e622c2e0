// An HTTP server that accepts what chat and push services get, and counts it. It sends its port to its parent, and answers its questions.
import { createServer } from 'node:http';

const TOKEN = JSON.stringify({ access_token: 'token', expires_in: 3_600 });
const JSON_TYPE = { 'content-type': 'application/json' };

/** The latest request of each kind, by the first part of its path. */
const latest = new Map();
let total = 0;

const server = createServer((request, response) => {
  const { method, url: path, headers } = request;
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    if (path === '/token') return void response.writeHead(200, JSON_TYPE).end(TOKEN);
    total += 1;
    latest.set(path.split('/', 2)[1], { method, path, headers, body });
    response.writeHead(200, JSON_TYPE).end(`{"id":"${total}","name":"messages/${total}"}`);
  });
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('message', (question) =>
  process.send(question === 'total' ? { total } : { latest: latest.get(question.path) }),
);
process.once('disconnect', () => process.exit());
