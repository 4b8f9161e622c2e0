import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { jest } from '@jest/globals';
import { InProcessWakeUps } from './in-process-wake-ups.js';
import { RedisWakeUps } from './redis-wake-ups.js';
import { encodeCommand, RespReader } from './resp.js';

/** As much of a Redis server as publishing needs. */
class PublishingServer {
  readonly commands: string[][] = [];
  private readonly sockets = new Set<Socket>();
  private readonly subscribers = new Set<Socket>();
  private server: Server | undefined;
  port = 0;

  async start(): Promise<void> {
    const server = createServer((socket) => this.serve(socket));
    this.server = server;
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.port = (server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server?.close(resolve));
  }

  private serve(socket: Socket): void {
    const reader = new RespReader();
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.sockets.delete(socket);
      this.subscribers.delete(socket);
    });
    socket.on('data', (chunk: Buffer) => {
      for (const value of reader.push(chunk)) this.answer(socket, value as string[]);
    });
  }

  private answer(socket: Socket, command: string[]): void {
    this.commands.push(command);
    const [name, channel = '', payload = ''] = command;
    if (name === 'AUTH') socket.write('+OK\r\n');
    if (name === 'SUBSCRIBE') {
      this.subscribers.add(socket);
      socket.write(`*3\r\n$9\r\nsubscribe\r\n$${channel.length}\r\n${channel}\r\n:1\r\n`);
    }
    if (name === 'PUBLISH') {
      socket.write(`:${this.subscribers.size}\r\n`);
      for (const subscriber of this.subscribers) subscriber.write(encodeCommand(['message', channel, payload]));
    }
  }
}

const eventually = async (condition: () => boolean): Promise<void> => {
  const deadline = Date.now() + 5_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('It did not come to pass in time.');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

describe('InProcessWakeUps', () => {
  it('should call whoever listens, until they no longer do', () => {
    const wakeUps = new InProcessWakeUps();
    const listener = jest.fn();
    const stop = wakeUps.listen(listener);
    wakeUps.notify();
    stop();
    wakeUps.notify();
    expect(listener).toHaveBeenCalledTimes(1);
  });
});

describe('RedisWakeUps', () => {
  let server: PublishingServer;
  const opened: RedisWakeUps[] = [];
  const open = (): RedisWakeUps => {
    const wakeUps = new RedisWakeUps(`redis://user:secret%20word@127.0.0.1:${server.port}`);
    opened.push(wakeUps);
    return wakeUps;
  };
  const subscriptions = (): number => server.commands.filter(([name]) => name === 'SUBSCRIBE').length;

  beforeEach(async () => {
    server = new PublishingServer();
    await server.start();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
    await server.stop();
  });

  it('should log in and wake the workers of other processes', async () => {
    const [here, there] = [open(), open()];
    const listener = jest.fn();
    there.listen(listener);
    await eventually(() => subscriptions() === 2);
    here.notify();
    here.notify();
    await eventually(() => listener.mock.calls.length > 0);
    expect(server.commands).toContainEqual(['AUTH', 'user', 'secret word']);
    expect(server.commands.filter(([name]) => name === 'PUBLISH')).toHaveLength(1);
  });

  it('should wake its own process without Redis, and come back when Redis does', async () => {
    const wakeUps = open();
    await eventually(() => subscriptions() === 1);
    await server.stop();
    const listener = jest.fn();
    wakeUps.listen(listener);
    wakeUps.notify();
    expect(listener).toHaveBeenCalledTimes(1);
    await server.start();
    await eventually(() => subscriptions() === 2);
  });
});
