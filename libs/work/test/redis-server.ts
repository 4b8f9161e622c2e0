import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** `describe`, or its skipping form where there is no redis-server. */
export function describeWithRedis(): jest.Describe {
  if (spawnSync('redis-server', ['--version']).status === 0) return describe;
  process.stderr.write('There is no redis-server on the PATH: the tests with Redis are skipped.\n');
  return describe.skip;
}

/** A Redis server of a test, without anything on disk. It keeps its port when it starts again. */
export class RedisServer {
  private process: ChildProcess | undefined;
  private dir = '';
  private port = 0;

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

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

/** Below the ports that the system gives to outgoing connections: one of those could have the port before a restart. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 32_000);
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}
