import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { HeraldApiError, HeraldConnectionError } from '@herald/client';
import { type EmbeddedMongoProcess, launchEmbeddedMongo } from '@herald/embedded-mongo';
import { StartedHerald, TEST_KEY } from '../support/started-herald.js';

const DRAIN_MS = 1_000;
const PROBE_EVERY_MS = 50;

/** Sends requests to API processes in turn, to those that say they are ready, as a load balancer does. */
class Balancer {
  readonly outcomes = new Map<string, number>();
  private readonly ready = new Set<StartedHerald>();
  private readonly members = new Set<StartedHerald>();
  private isOpen = true;
  private sent = 0;

  async add(herald: StartedHerald): Promise<void> {
    this.members.add(herald);
    await this.probe(herald);
  }

  remove(herald: StartedHerald): void {
    this.members.delete(herald);
    this.ready.delete(herald);
  }

  /** Probes and sends until it is closed. */
  async run(): Promise<void> {
    const probes = async (): Promise<void> => {
      while (this.isOpen) {
        await Promise.all([...this.members].map((herald) => this.probe(herald)));
        await pause(PROBE_EVERY_MS);
      }
    };
    const caller = async (): Promise<void> => {
      while (this.isOpen) await this.send();
    };
    await Promise.all([probes(), caller(), caller()]);
  }

  /** Resolves when this many more requests were answered. */
  async answered(count: number): Promise<void> {
    const until = this.sent + count;
    while (this.sent < until) await pause(10);
  }

  close(): void {
    this.isOpen = false;
  }

  private async probe(herald: StartedHerald): Promise<void> {
    const isReady = await herald.client.health.checkHealth().then(
      () => true,
      () => false,
    );
    if (isReady && this.members.has(herald)) this.ready.add(herald);
    else this.ready.delete(herald);
  }

  private async send(): Promise<void> {
    const ready = [...this.ready];
    const herald = ready[this.sent % ready.length];
    const result = await herald?.client.subscribers
      .createSubscriber({ body: { subscriberId: `s-${this.sent}` } })
      .then(() => 'created', outcomeOf);
    this.sent += 1;
    const key = result ?? 'none was ready';
    this.outcomes.set(key, (this.outcomes.get(key) ?? 0) + 1);
  }
}

function outcomeOf(error: unknown): string {
  if (error instanceof HeraldApiError) return String(error.status);
  return `failed: ${String(error instanceof HeraldConnectionError ? error.cause : error)}`;
}

describe('a rolling restart of two API processes', () => {
  let dataDir: string;
  let store: EmbeddedMongoProcess;
  const heralds: StartedHerald[] = [];

  const start = async (): Promise<StartedHerald> => {
    const herald = await StartedHerald.start(dataDir, {
      API_KEY: TEST_KEY,
      MONGODB_URI: store.uri,
      SHUTDOWN_DRAIN_MS: String(DRAIN_MS),
    });
    heralds.push(herald);
    return herald;
  };

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'herald-rolling-'));
    store = await launchEmbeddedMongo({ dataDir: join(dataDir, 'store') });
  });
  afterAll(async () => {
    await store.stop();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
  });

  it('should fail no request of a client that follows their health checks', async () => {
    const balancer = new Balancer();
    for (const herald of [await start(), await start()]) await balancer.add(herald);
    const running = balancer.run();
    await balancer.answered(50);
    for (const old of [...heralds]) {
      // Stays a member while it drains: its health check takes it out.
      expect(await old.end('SIGTERM')).toBe(0);
      balancer.remove(old);
      await balancer.add(await start());
      await balancer.answered(50);
    }
    balancer.close();
    await running;
    expect([...balancer.outcomes.keys()].sort()).toEqual(['created']);
    await Promise.all(heralds.slice(2).map((herald) => herald.end('SIGKILL')));
  });
});
