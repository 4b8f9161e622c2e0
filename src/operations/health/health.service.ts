import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, OnModuleDestroy } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { AppConfig } from '#libs/config';
import { ThrownErrors } from '#libs/http-kit';
import { storeFault } from '#libs/common';
import { STORE_FAULTS } from '#libs/telemetry';
import { type HealthResponse, type ProbeResult, showHealth } from './health.response.js';

const PROBE_TIMEOUT_MS = 2_000;
/** About the size of a small request. */
const PROBE_BYTES = 16_384;
const PROBE_COLLECTION = 'healthProbes';

/** The embedded store says as well what it found; MongoDB does not. */
interface PingReply {
  readonly damage?: { readonly reads: number };
}

@Injectable()
export class HealthService implements OnModuleDestroy {
  private readonly drainMs: number;
  private stopping = false;

  /** True from the first write that failed for lack of space until a write succeeds. */
  private full = false;
  private probing: Promise<void> | undefined;
  private asking: Promise<PingReply | undefined> | undefined;
  /** Reads that found damage, as the store counts them since its start. */
  private damaged = 0;

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
    const reply = await (this.asking ??= this.ask());
    if (!reply) return { status: 'down', message: 'the store does not answer' };
    if (this.full) await (this.probing ??= this.tryWriting());
    if (this.full) return { status: 'down', message: 'the store has no space left' };
    this.noteDamage(reply.damage?.reads ?? 0);
    // No restart mends it, and all else is served.
    return this.damaged === 0
      ? { status: 'up' }
      : { status: 'up', message: `damaged data was found by ${this.damaged} reads` };
  }

  /** Concurrent requests share one query. */
  private async ask(): Promise<PingReply | undefined> {
    try {
      return (await this.connection.db?.command({ ping: 1 }, { timeoutMS: PROBE_TIMEOUT_MS })) ?? {};
    } catch {
      return undefined;
    } finally {
      this.asking = undefined;
    }
  }

  private noteDamage(reads: number): void {
    // The store counts anew after a restart.
    const more = reads >= this.damaged ? reads - this.damaged : reads;
    if (more > 0) STORE_FAULTS.add({ kind: 'damaged_reads' }, more);
    this.damaged = reads;
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
