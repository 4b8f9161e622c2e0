import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { encodeCommand, RespError, RespReader, type RespValue } from './resp.js';

const DEFAULT_PORT = 6379;
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 10_000;
/** A connection that is silently gone shows itself by this. */
const KEEP_ALIVE_MS = 15_000;

export interface RedisConnectionOptions {
  /** `redis://` or `rediss://`, with user and password where needed. */
  readonly url: string;
  /** Sent after every (re)connection, behind the login. */
  readonly greeting?: readonly string[];
  readonly onValue: (value: RespValue) => void;
  readonly onFault: (error: Error) => void;
}

/** One connection to Redis that comes back by itself. What is sent while it is away is dropped. */
export class RedisConnection {
  private socket: Socket | undefined;
  private timer: NodeJS.Timeout | undefined;
  private waitMs = FIRST_WAIT_MS;
  private isClosed = false;

  constructor(private readonly options: RedisConnectionOptions) {
    this.open();
  }

  /** @returns false when there is no connection at the moment */
  send(command: readonly string[]): boolean {
    if (this.socket?.readyState !== 'open') return false;
    this.socket.write(encodeCommand(command));
    return true;
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.socket?.destroy();
  }

  private open(): void {
    const { protocol, hostname, port, username, password } = new URL(this.options.url);
    const address = { host: hostname || '127.0.0.1', port: port === '' ? DEFAULT_PORT : Number(port) };
    const socket = protocol === 'rediss:' ? connectTls({ ...address, servername: address.host }) : connectTcp(address);
    this.socket = socket;
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    socket.unref();
    const reader = new RespReader();
    socket.once(protocol === 'rediss:' ? 'secureConnect' : 'connect', () => {
      if (password !== '') {
        const user = username === '' ? [] : [decodeURIComponent(username)];
        this.send(['AUTH', ...user, decodeURIComponent(password)]);
      }
      if (this.options.greeting) this.send(this.options.greeting);
    });
    socket.on('data', (chunk: Buffer) => this.read(reader, chunk, socket));
    socket.once('error', (error: Error) => this.options.onFault(error));
    socket.once('close', () => this.reopenLater());
  }

  private read(reader: RespReader, chunk: Buffer, socket: Socket): void {
    try {
      for (const value of reader.push(chunk)) {
        if (value instanceof RespError) throw value;
        this.waitMs = FIRST_WAIT_MS;
        this.options.onValue(value);
      }
    } catch (error) {
      socket.destroy(error as Error);
    }
  }

  private reopenLater(): void {
    if (this.isClosed) return;
    this.timer = setTimeout(() => this.open(), this.waitMs);
    this.timer.unref();
    this.waitMs = Math.min(LONGEST_WAIT_MS, this.waitMs * 2);
  }
}
