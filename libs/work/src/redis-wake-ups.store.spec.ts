import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { Redis } from 'ioredis';
import { RedisWakeUps } from './redis-wake-ups.js';

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
if (!hasRedis)
  process.stderr.write('There is no redis-server on the PATH: the tests of wake-ups through Redis are skipped.\n');

/** A Redis server of this test, without anything on disk. */
class RedisServer {
  private process: ChildProcess | undefined;
  private dir = '';
  port = 0;

  async start(): Promise<void> {
    this.dir ||= await mkdtemp(join(tmpdir(), 'herald-redis-'));
    this.port ||= await freePort();
    const flags = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--dir', this.dir];
    const process = spawn('redis-server', flags, { stdio: ['ignore', 'pipe', 'ignore'] });
    this.process = process;
    for await (const chunk of process.stdout as AsyncIterable<Buffer>) {
      if (chunk.toString().includes('Ready to accept connections')) break;
    }
  }

  async stop(): Promise<void> {
    const running = this.process;
    this.process = undefined;
    if (running === undefined) return;
    const ended = once(running, 'exit');
    running.kill('SIGKILL');
    await ended;
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.dir, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

async function eventually(
  condition: () => boolean | Promise<boolean>,
  again: () => void = () => undefined,
): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('The condition was not met in time.');
    again();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

(hasRedis ? describe : describe.skip)('RedisWakeUps', () => {
  const redis = new RedisServer();
  const opened: RedisWakeUps[] = [];
  const open = (): RedisWakeUps => {
    const wakeUps = new RedisWakeUps(`redis://127.0.0.1:${redis.port}`);
    opened.push(wakeUps);
    return wakeUps;
  };

  beforeEach(() => redis.start());
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
    await redis.stop();
  });
  afterAll(() => redis.remove());

  it('should wake a worker of another process', async () => {
    const [accepting, working] = [open(), open()];
    const listener = jest.fn();
    working.listen(listener);
    await eventually(
      () => listener.mock.calls.length > 0,
      () => accepting.notify(),
    );
  });

  it('should wake the workers of every process', async () => {
    const [accepting, ...working] = [open(), open(), open()];
    const listeners = working.map((one) => {
      const listener = jest.fn();
      one.listen(listener);
      return listener;
    });
    await eventually(
      () => listeners.every(({ mock }) => mock.calls.length > 0),
      () => accepting?.notify(),
    );
  });

  it('should not wake its own workers a second time by what it published', async () => {
    const [here, there] = [open(), open()];
    const [own, other] = [jest.fn(), jest.fn()];
    here.listen(own);
    there.listen(other);
    let calls = 0;
    await eventually(
      () => other.mock.calls.length > 0,
      () => {
        calls += 1;
        here.notify();
      },
    );
    expect(own).toHaveBeenCalledTimes(calls);
  });

  it('should close both connections', async () => {
    const probe = new Redis(`redis://127.0.0.1:${redis.port}`);
    const connections = async (): Promise<number> =>
      String(await probe.client('LIST'))
        .trim()
        .split('\n').length;
    const wakeUps = open();
    wakeUps.listen(() => undefined);
    await eventually(async () => (await connections()) === 3);
    await wakeUps.close();
    await eventually(async () => (await connections()) === 1);
    await probe.quit();
  });

  it('should wake its own process without Redis, and others again once Redis is back', async () => {
    const [here, there] = [open(), open()];
    await redis.stop();
    const [own, other] = [jest.fn(), jest.fn()];
    here.listen(own);
    there.listen(other);
    here.notify();
    expect(own).toHaveBeenCalledTimes(1);
    await redis.start();
    await eventually(
      () => other.mock.calls.length > 0,
      () => here.notify(),
    );
  });
});
