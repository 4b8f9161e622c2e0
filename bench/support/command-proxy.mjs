// Counts the commands that a contestant sends to its store, from outside: the same for every contestant and every store. Passing
// them on costs time, so counting has a pass of its own and never runs in a measured round.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

const HEADER_BYTES = 16;
const OP_MSG = 2013;
/** Header, flags, kind of the section, length of the document, type of its first element. */
const NAME_OFFSET = HEADER_BYTES + 4 + 1 + 4 + 1;
/** What the driver sends by itself. */
const HOUSEKEEPING = new Set(['hello', 'isMaster', 'ismaster', 'ping', 'endSessions', 'saslStart', 'saslContinue']);

/** @returns { uri, count(), close() }: a connection string by way of the proxy, and the commands so far */
export async function startCommandProxy(storeUri) {
  const target = new URL(storeUri);
  const host = decodeURIComponent(target.hostname);
  const sockets = new Set();
  let commands = 0;
  const server = createServer((client) => {
    const store = host.startsWith('/') ? connect(host) : connect(Number(target.port || 27017), host);
    const reader = commandReader((name) => {
      if (!HOUSEKEEPING.has(name)) commands += 1;
    });
    for (const [socket, other] of [
      [client, store],
      [store, client],
    ]) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.on('data', reader);
    client.pipe(store);
    store.pipe(client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const uri = new URL(storeUri);
  uri.host = `127.0.0.1:${server.address().port}`;
  uri.searchParams.set('directConnection', 'true');
  return {
    uri: uri.href,
    count: () => commands,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Finds the messages in a stream of bytes and the name of the command in each. */
function commandReader(onCommand) {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= HEADER_BYTES && rest.length >= rest.readInt32LE(0)) {
      const message = rest.subarray(0, rest.readInt32LE(0));
      rest = rest.subarray(message.length);
      if (message.readInt32LE(12) !== OP_MSG) continue;
      onCommand(message.toString('latin1', NAME_OFFSET, message.indexOf(0, NAME_OFFSET)));
    }
  };
}
