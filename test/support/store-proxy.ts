import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { mongo } from 'mongoose';

/** What becomes of a command. */
type Mishap =
  /** The connection is lost before the store has read it. */
  | 'lost before'
  /** The store carries it out, and the connection is lost before its answer arrives. */
  | 'lost after'
  /** The store has no space left. */
  | 'full'
  /** The store does not carry it out, and answers with this document. */
  | Readonly<Record<string, unknown>>;

/** Stands between Herald and its store, loses connections and answers in place of the store. */
export class StoreProxy {
  /** Connection string of the store by way of this. */
  uri = '';
  private readonly server = createServer((client) => this.pass(client));
  private readonly open = new Set<Socket>();
  private awaited: { readonly text: string; readonly mishap: Mishap; times: number } | undefined;

  private constructor(private readonly target: URL) {}

  static async before(storeUri: string): Promise<StoreProxy> {
    const proxy = new StoreProxy(new URL(storeUri));
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.server.address() as AddressInfo;
    proxy.uri = `mongodb://127.0.0.1:${port}${proxy.target.pathname}?directConnection=true`;
    return proxy;
  }

  /** Each command that holds the text meets with this, so many times at most, until {@link disarm} is called. */
  arm(text: string, mishap: Mishap, times = Number.POSITIVE_INFINITY): void {
    this.awaited = { text, mishap, times };
  }

  disarm(): void {
    this.awaited = undefined;
  }

  close(): void {
    this.server.close();
    for (const socket of this.open) socket.destroy();
  }

  private pass(client: Socket): void {
    const host = decodeURIComponent(this.target.hostname);
    const store = host.startsWith('/') ? connect(host) : connect(Number(this.target.port || 27017), host);
    let deaf = false;
    for (const socket of [client, store]) {
      this.open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.open.delete(socket);
        client.destroy();
        store.destroy();
      });
    }
    store.on('data', (answer) => {
      if (deaf) client.destroy();
      else client.write(answer);
    });
    client.on('data', (command) => {
      const mishap = this.mishapOf(command);
      deaf ||= mishap === 'lost after';
      if (mishap === 'lost before') client.destroy();
      else if (mishap === 'full') client.write(answerTo(command, FULL));
      else if (typeof mishap === 'object') client.write(answerTo(command, mishap));
      else store.write(command);
    });
  }

  private mishapOf(command: Buffer): Mishap | undefined {
    if (this.awaited === undefined || !command.includes(this.awaited.text) || this.awaited.times === 0)
      return undefined;
    this.awaited.times -= 1;
    return this.awaited.mishap;
  }
}

const OP_MSG = 2013;

/** What a store on a full disk answers to a command. */
const FULL = { ok: 0, code: 14031, codeName: 'OutOfDiskSpace', errmsg: 'the disk is full' };

function answerTo(command: Buffer, answer: Readonly<Record<string, unknown>>): Buffer {
  const document = mongo.BSON.serialize(answer);
  const head = Buffer.alloc(21);
  head.writeInt32LE(head.length + document.length, 0);
  head.writeInt32LE(command.readInt32LE(4), 8);
  head.writeInt32LE(OP_MSG, 12);
  return Buffer.concat([head, document]);
}
