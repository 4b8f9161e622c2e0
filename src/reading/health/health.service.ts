import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, OnModuleDestroy } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { AppConfig } from '#libs/config';
import { ThrownErrors } from '#libs/http-kit';
import { storeFault } from '#libs/common';
import { type HealthResponse, type ProbeResult, showHealth } from './health.response.js';

const PROBE_TIMEOUT_MS = 2_000;
/** About the size of a small request. */
const PROBE_BYTES = 16_384;
const PROBE_COLLECTION = 'healthProbes';

@Injectable()
export class HealthService implements OnModuleDestroy {
  private readonly drainMs: number;
  private stopping = false;

  /** True from the first write that failed for lack of space until a write succeeds. */
  private full = false;
  private probing: Promise<void> | undefined;
  private asking: Promise<boolean> | undefined;

  constructor(
    @InjectConnection() private readonly connection: Connection,
    thrown: ThrownErrors,
    config: AppConfig,
  ) {
    this.drainMs = config.get('SHUTDOWN_DRAIN_MS');
    thrown.listen((error) => {
      if (storeFault(error) === 'full') this.full = true;
    });
  }

  /**
   * Reports the shutdown for SHUTDOWN_DRAIN_MS while still taking requests, so that load balancers stop sending them.
   */
  async drain(): Promise<void> {
    this.stopping = true;
    await delay(this.drainMs);
  }

  /** Before workers wait for work in flight. */
  onModuleDestroy(): void {
    this.stopping = true;
  }

  async check(): Promise<HealthResponse> {
    const probes: Record<string, ProbeResult> = {
      db: await this.probeStore(),
      process: this.stopping ? { status: 'down', message: 'shutting down' } : { status: 'up' },
    };
    return showHealth(probes);
  }

  private async probeStore(): Promise<ProbeResult> {
    const answers = await (this.asking ??= this.ask());
    if (!answers) return { status: 'down', message: 'the store does not answer' };
    if (this.full) await (this.probing ??= this.tryWriting());
    return this.full ? { status: 'down', message: 'the store has no space left' } : { status: 'up' };
  }

  /** Concurrent requests share one query. */
  private async ask(): Promise<boolean> {
    try {
      await this.connection.db?.command({ ping: 1 }, { timeoutMS: PROBE_TIMEOUT_MS });
      return true;
    } catch {
      return false;
    } finally {
      this.asking = undefined;
    }
  }

  /** Concurrent requests share one test write. */
  private async tryWriting(): Promise<void> {
    const filler = 'x'.repeat(PROBE_BYTES);
    try {
      const probes = this.connection.collection<{ _id: string }>(PROBE_COLLECTION);
      await probes.updateOne(
        { _id: 'space' },
        { $set: { at: new Date(), filler } },
        { upsert: true, timeoutMS: PROBE_TIMEOUT_MS },
      );
      await probes.deleteOne({ _id: 'space' });
      this.full = false;
    } catch {
      // Still full, or unavailable: the next check tries again.
    } finally {
      this.probing = undefined;
    }
  }
}
