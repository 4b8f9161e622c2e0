import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import tls from 'node:tls';
import { gunzipSync } from 'node:zlib';

/**
 * A server on loopback that keeps every request. From its start on, this process reaches nothing else by TLS: whatever host a client
 * names, its connection ends here, so libraries with fixed addresses are recorded as well.
 * @param folder where its key and certificate are made
 */
export async function startRecorder(folder) {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const subject = ['-subj', '/CN=recorder', '-days', '2', '-keyout', key, '-out', cert];
  execFileSync('openssl', ['req', '-x509', '-nodes', '-newkey', 'rsa:2048', ...subject], { stdio: 'ignore' });
  const [privateKey, certificate] = [readFileSync(key, 'utf8'), readFileSync(cert, 'utf8')];
  const recorder = { requests: [], answer: () => ({}), key: privateKey, certificate };
  const server = createSecureServer({ key: privateKey, cert: certificate, allowHTTP1: true });
  server.on('request', (request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const recorded = requestOf(request, Buffer.concat(chunks));
      const { status = 200, headers = {}, body = {} } = recorder.answer(recorded);
      recorder.requests.push(recorded);
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  // Connections that a library ends in the middle.
  server.on('sessionError', () => undefined);
  server.on('clientError', (_error, socket) => socket.destroy());
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  leadAllTo(server.address().port);
  return recorder;
}

function requestOf({ method, url, headers }, bytes) {
  const { pathname, searchParams } = new URL(url, 'https://recorder');
  return {
    method,
    host: (headers[':authority'] ?? headers.host ?? '').replace(/:443$/, ''),
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers,
    bytes: headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes,
  };
}

/** Every client of Node connects by this function: http, http2, fetch and undici. */
function leadAllTo(port) {
  const { connect } = tls;
  tls.connect = (...args) => {
    const place = args.findIndex((arg) => typeof arg === 'object' && arg !== null);
    const options = place < 0 ? {} : args[place];
    const name = options.servername || options.host;
    const servername = name && /[a-z]/i.test(name) ? name : 'recorder';
    const there = { ...options, host: '127.0.0.1', port, servername, rejectUnauthorized: false, lookup: undefined };
    return connect(
      { ...there, checkServerIdentity: () => undefined, ALPNProtocols: options.ALPNProtocols },
      ...args.filter((arg) => typeof arg === 'function'),
    );
  };
  syncBuiltinESMExports();
}
