import dns from 'node:dns';
import dnsPromises from 'node:dns/promises';
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { Duplex } from 'node:stream';
import { world } from './world.mjs';

const ADDRESS = '127.0.0.1';
export const STORE_PORT = 27_017;
const FIRST_CLIENT_PORT = 40_000;

const fault = (code) => Object.assign(new Error(`${code} on the simulated network`), { code, syscall: 'read' });

/** One end of a connection that lies in memory. */
class SimulatedSocket extends Duplex {
  connecting = false;
  encrypted = false;
  localAddress = ADDRESS;
  remoteAddress = ADDRESS;
  remoteFamily = 'IPv4';
  idleMs = 0;
  arrivesAt = 0;

  constructor(actor) {
    super({ allowHalfOpen: false });
    this.actor = actor;
    network.opened.push(this);
  }

  address() {
    return { address: ADDRESS, family: 'IPv4', port: this.localPort };
  }

  get timeout() {
    return this.idleMs;
  }

  /** What the mail server asks before it answers. */
  get readyState() {
    return this.connecting ? 'opening' : this.destroyed ? 'closed' : 'open';
  }

  destroySoon() {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }

  resetAndDestroy() {
    return this.destroy();
  }

  setTimeout(ms, callback) {
    this.idleMs = ms;
    if (callback) this[ms > 0 ? 'once' : 'removeListener']('timeout', callback);
    this.touch();
    return this;
  }

  touch() {
    clearTimeout(this.idle);
    if (this.idleMs > 0 && !this.destroyed) this.idle = setTimeout(() => this.emit('timeout'), this.idleMs);
  }

  _read() {
    // What arrives is pushed.
  }

  _write(chunk, encoding, callback) {
    const bytes = Buffer.isBuffer(chunk) ? Buffer.from(chunk) : Buffer.from(chunk, encoding);
    if (this.connecting) this.once('connect', () => this.pass(bytes, callback));
    else this.pass(bytes, callback);
  }

  _writev(chunks, callback) {
    this._write(Buffer.concat(chunks.map(({ chunk, encoding }) => Buffer.from(chunk, encoding))), 'buffer', callback);
  }

  pass(bytes, callback) {
    this.touch();
    network.carry(this, bytes);
    callback();
  }

  _final(callback) {
    network.carry(this, null);
    callback();
  }

  _destroy(error, callback) {
    clearTimeout(this.idle);
    network.leave(this);
    callback(error);
  }
}

for (const name of ['setNoDelay', 'setKeepAlive', 'ref', 'unref'])
  SimulatedSocket.prototype[name] = function () {
    return this;
  };

/** All connections of a run. */
class Network {
  servers = new Map();
  /** All servers and connections of a run, also of those that have died. */
  opened = [];
  links = new Set();
  nextPort = FIRST_CLIENT_PORT;
  /** Decides about bytes on their way: may give `drop` or further milliseconds. */
  weather = () => undefined;

  begin() {
    this.servers.clear();
    this.links.clear();
    this.nextPort = FIRST_CLIENT_PORT;
    this.weather = () => undefined;
    this.dice = world.dice('network');
  }

  /** Node keeps servers and connections, and all that they use, until they are closed. */
  end() {
    for (const each of this.opened.splice(0)) (each.destroy ?? each.close).call(each);
  }

  latency() {
    return this.dice.below(3);
  }

  connect(port, callback) {
    const client = new SimulatedSocket(world.actor);
    client.connecting = true;
    client.remotePort = port;
    client.localPort = this.nextPort++;
    if (callback) client.once('connect', callback);
    world.after(this.latency(), client.actor, 'connect', () => this.accept(client, port));
    return client;
  }

  accept(client, port) {
    if (client.destroyed) return;
    const entry = this.servers.get(port);
    if (entry === undefined || !entry.actor.isAlive) {
      client.connecting = false;
      return void client.destroy(fault('ECONNREFUSED'));
    }
    const server = new SimulatedSocket(entry.actor);
    server.remotePort = client.localPort;
    server.localPort = port;
    client.peer = server;
    server.peer = client;
    this.links.add(client);
    // What is reset before it is accepted, the server never sees.
    const ignore = () => undefined;
    server.on('error', ignore);
    world.after(0, entry.actor, 'accept', () => {
      if (server.destroyed) return;
      server.off('error', ignore);
      entry.server.emit('connection', server);
    });
    world.after(this.latency(), client.actor, 'connected', () => {
      if (client.destroyed) return;
      client.connecting = false;
      client.emit('connect');
      client.emit('ready');
    });
  }

  /** Bytes arrive in their order. Null is the end. */
  carry(from, bytes) {
    const to = from.peer;
    if (to === undefined || !from.actor.isAlive) return;
    const fate = this.weather(from, bytes);
    if (fate === 'drop') return;
    const at = Math.max(to.arrivesAt, world.now() + this.latency() + (fate ?? 0));
    to.arrivesAt = at;
    world.after(at - world.now(), to.actor, bytes === null ? 'end' : 'bytes', () => {
      if (to.destroyed) return;
      const content = bytes === null ? 'end' : contentOf(Buffer.from(bytes), to);
      world.note('arrives', `${from.localPort}>${to.localPort}`, content);
      to.touch();
      to.push(bytes);
    });
  }

  /** The other side hears of it. */
  leave(socket) {
    this.links.delete(socket);
    const { peer } = socket;
    if (peer === undefined || peer.destroyed || socket.isCut) return;
    const at = Math.max(peer.arrivesAt, world.now() + this.latency());
    world.after(at - world.now(), peer.actor, 'closed', () => {
      if (!peer.destroyed) peer.push(null);
      if (!peer.destroyed)
        peer.destroy(peer.writableEnded ? undefined : socket.errored ? fault('ECONNRESET') : undefined);
    });
  }

  cut(socket) {
    for (const end of [socket, socket.peer]) {
      if (end === undefined || end.isCut) continue;
      end.isCut = true;
      world.after(this.latency(), end.actor, 'reset', () => end.destroy(fault('ECONNRESET')));
    }
  }

  /** Whoever dies closes all connections without a word. */
  abandon(actor) {
    for (const client of [...this.links]) {
      if (client.actor === actor || client.peer?.actor === actor) {
        this.cut(client);
        this.links.delete(client);
      }
    }
    for (const [port, entry] of this.servers) if (entry.actor === actor) this.servers.delete(port);
  }

  listen(server, port) {
    const { actor } = world;
    if (this.servers.get(port)?.actor.isAlive)
      return world.after(0, actor, 'refused', () => server.emit('error', fault('EADDRINUSE')));
    this.servers.set(port, { server, actor });
    this.opened.push(server);
    // Node's own date of an answer is that of the machine.
    server.prependListener('request', (_request, response) => response.setHeader?.('date', new Date().toUTCString()));
    // Node ends requests that take too long by the clock of the machine.
    Object.assign(server, { headersTimeout: 0, requestTimeout: 0 });
    server.simulatedPort = port;
    const get = () => this.servers.get(port)?.server === server;
    Object.defineProperty(server, 'listening', { configurable: true, get });
    return world.after(0, actor, 'listening', () => server.emit('listening'));
  }
}

/** The numbers of messages that the driver counts for the whole process are no part of what happened. */
function contentOf(bytes, { localPort, remotePort }) {
  if (localPort !== STORE_PORT && remotePort !== STORE_PORT) return bytes.toString('latin1');
  for (let at = 0; at + 16 <= bytes.length; at += Math.max(16, bytes.readInt32LE(at))) bytes.fill(0, at + 4, at + 12);
  return bytes.toString('latin1');
}

export const network = new Network();

/** From then on, `net` and `dns` know nothing but the simulated network. */
export function replaceNetwork() {
  const callbackOf = (args) => (typeof args.at(-1) === 'function' ? args.at(-1) : undefined);
  const portOf = ([first]) => Number(typeof first === 'object' ? first.port : first);
  const connect = (...args) => network.connect(portOf(args), callbackOf(args));
  net.connect = net.createConnection = http.Agent.prototype.createConnection = connect;
  net.Socket.prototype.connect = () => {
    throw new Error('Something reaches for the real network.');
  };
  net.Server.prototype.listen = function (...args) {
    if (callbackOf(args)) this.once('listening', callbackOf(args));
    network.listen(this, portOf(args));
    return this;
  };
  net.Server.prototype.address = function () {
    return this.simulatedPort === undefined ? null : { address: ADDRESS, family: 'IPv4', port: this.simulatedPort };
  };
  net.Server.prototype.close = function (callback) {
    const isOpen = this.listening;
    if (isOpen) network.servers.delete(this.simulatedPort);
    setTimeout(() => {
      this.emit('close');
      callback?.(isOpen ? undefined : fault('ERR_SERVER_NOT_RUNNING'));
    }, 1);
    return this;
  };
  const found = (options) => (options?.all ? [{ address: ADDRESS, family: 4 }] : ADDRESS);
  dns.lookup = (host, options, callback) => {
    const [given, then] = typeof options === 'function' ? [{}, options] : [options, callback];
    setTimeout(() => then(null, found(given), 4), 0);
  };
  dnsPromises.lookup = async (host, options) => (options?.all ? found(options) : { address: ADDRESS, family: 4 });
  syncBuiltinESMExports();
}
