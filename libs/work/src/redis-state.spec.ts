import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { eventually } from '../../../test/support/eventually.js';
import { RedisWakeUps } from './redis-wake-ups.js';

type Refusal = 'WRONGPASS invalid username-password pair or user is disabled.' | 'NOAUTH Authentication required.';

/** Answers each command as Redis does, to those that it lets in. */
class FakeRedis {
  refusal: Refusal | undefined;
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;
  port = 0;

  async start(): Promise<void> {
    this.server = createServer((socket) => {
      this.sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('data', (data) => {
        const commands = data.toString().match(/^\*\d+\r$/gm)?.length ?? 1;
        const answer = this.refusal === undefined ? '$15\r\nredis_version:7\r\n' : `-${this.refusal}\r\n`;
        socket.write(answer.repeat(commands));
      });
    }).listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server?.close();
    if (this.server) await once(this.server, 'close');
  }
}

describe('what is said of Redis', () => {
  const redis = new FakeRedis();
  let said: string[];
  let wakeUps: RedisWakeUps;
  const keep =
    (level: string) =>
    (line: unknown): void =>
      void said.push(`${level} ${String(line)}`);

  beforeEach(async () => {
    said = [];
    Logger.overrideLogger({ error: keep('error'), warn: keep('warn'), log: keep('log') });
    redis.refusal = undefined;
    await redis.start();
  });
  afterEach(async () => {
    await wakeUps.close();
    await redis.stop();
    Logger.overrideLogger(false);
  });

  it.each<Refusal>([
    'WRONGPASS invalid username-password pair or user is disabled.',
    'NOAUTH Authentication required.',
  ])('should name the setting where Redis refuses the password: %s', async (refusal) => {
    redis.refusal = refusal;
    const password = refusal.startsWith('WRONGPASS') ? ':wrong@' : '';
    wakeUps = new RedisWakeUps(`redis://${password}127.0.0.1:${redis.port}`);
    await eventually(() => expect(said).toHaveLength(1));
    expect(said[0]).toMatch(/^error Redis refuses the user or the password of REDIS_URL\. Correct them/);
    expect(said[0]).toContain(refusal);
    for (let calls = 0; calls < 3; calls += 1) {
      wakeUps.notify();
      await pause(20);
    }
    redis.refusal = undefined;
    await eventually(() => expect(said.slice(1)).toEqual(['warn Redis is back.']));
  });

  it('should say once that it is away, and when it is back', async () => {
    await redis.stop();
    wakeUps = new RedisWakeUps(`redis://127.0.0.1:${redis.port}`);
    await eventually(() =>
      expect(said).toEqual([expect.stringMatching(/^warn Redis is unavailable\. Until it is back/)]),
    );
    await redis.start();
    await eventually(() => expect(said.slice(1)).toEqual(['warn Redis is back.']));
  });
});
