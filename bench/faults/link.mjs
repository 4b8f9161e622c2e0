// A TCP proxy between a process and its store or its Redis that can be slow, silent or lost, or answer in place of the store.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';

const HEADER_BYTES = 16;
const OP_MSG = 2013;
/** Header, flags, kind of the section, length of the document, type of its first element. */
const NAME_OFFSET = HEADER_BYTES + 4 + 1 + 4 + 1;

export const PASS = { kind: 'pass' };
/** What the driver sends by itself. */
export const HOUSEKEEPING = new Set(['hello', 'isMaster', 'ismaster', 'ping', 'endSessions']);

/**
 * The states of a link: `pass`; `slow`, each portion `ms` later; `silent`, nothing passes and nothing closes; `refuse`, no
 * connection is taken; `answer`, with a function that gives the answer to a command by its name, or undefined to pass it on.
 */
export class Link {
  /** Commands to the store so far, without those that the driver sends by itself. */
  commands = 0;
  /** Connections that were not taken. */
  refused = 0;
  #state = PASS;
  #onChange = [];
  #sockets = new Set();
  #server = createServer((client) => this.#open(client));

  /** @param isStore the other side speaks MongoDB's protocol: whole messages are passed on */
  constructor(name, target, { isStore }) {
    this.name = name;
    this.target = target;
    this.isStore = isStore;
  }

  async listen() {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.port = this.#server.address().port;
    return this;
  }

  set(state) {
    this.#state = state;
    for (const wake of this.#onChange.splice(0)) wake();
    if (state.kind === 'refuse') this.cut();
  }

  cut() {
    for (const socket of this.#sockets) socket.destroy();
  }

  close() {
    this.cut();
    this.#server.close();
  }

  #open(client) {
    client.on('error', () => undefined);
    if (this.#state.kind === 'refuse') {
      this.refused += 1;
      return void client.destroy();
    }
    const server = connect(this.target);
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ]) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
    const toServer = this.#passer(server);
    const toClient = this.#passer(client);
    client.on('data', this.isStore ? messages((message) => this.#pass(message, toServer, toClient)) : toServer);
    server.on('data', toClient);
  }

  #pass(message, toServer, toClient) {
    const name = nameOf(message);
    if (!HOUSEKEEPING.has(name)) this.commands += 1;
    const answer = this.#state.kind === 'answer' && name !== undefined ? this.#state.answer(name) : undefined;
    if (answer === undefined) toServer(message);
    else toClient(answerTo(message, answer));
  }

  /** Writes in order, when the state of the link allows it. */
  #passer(socket) {
    const waiting = [];
    let isBusy = false;
    const run = async () => {
      isBusy = true;
      for (let bytes = waiting.shift(); bytes !== undefined; bytes = waiting.shift()) {
        if (this.#state.kind === 'slow') await sleep(this.#state.ms);
        while (this.#state.kind === 'silent') await new Promise((resolve) => this.#onChange.push(resolve));
        if (!socket.destroyed) socket.write(bytes);
      }
      isBusy = false;
    };
    return (bytes) => {
      const mayPassAtOnce = !isBusy && (this.#state.kind === 'pass' || this.#state.kind === 'answer');
      if (mayPassAtOnce) return void (socket.destroyed || socket.write(bytes));
      waiting.push(bytes);
      if (!isBusy) void run();
    };
  }
}

/** Finds the messages in a stream of bytes. */
function messages(onMessage) {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= HEADER_BYTES && rest.length >= rest.readInt32LE(0)) {
      const length = rest.readInt32LE(0);
      onMessage(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  };
}

function nameOf(message) {
  if (message.readInt32LE(12) !== OP_MSG) return undefined;
  return message.toString('latin1', NAME_OFFSET, message.indexOf(0, NAME_OFFSET));
}

function answerTo(message, answer) {
  const document = mongoose.mongo.BSON.serialize(answer);
  const head = Buffer.alloc(21);
  head.writeInt32LE(head.length + document.length, 0);
  head.writeInt32LE(message.readInt32LE(4), 8);
  head.writeInt32LE(OP_MSG, 12);
  return Buffer.concat([head, document]);
}
