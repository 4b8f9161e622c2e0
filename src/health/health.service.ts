import { setTimeout as delay } from 'node:timers/promises';
import { BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { ThrownErrors } from '#libs/http-kit';
import { storeFault } from '#libs/common';
import { type HealthResponse, type ProbeResult, showHealth } from './health.response.js';

const PROBE_WITHIN_MS = 2_000;
/** How long requests are still taken after a signal: what has been sent by then has also been read. */
const LAST_REQUESTS_MS = 250;
/** What a store without space is asked to write: about what a small request needs. */
const PROBE_BYTES = 16_384;
const PROBE_COLLECTION = 'healthProbes';

@Injectable()
export class HealthService implements BeforeApplicationShutdown {
  private stopping = false;

  /** True from the first write that found no space until one is stored again. */
  private full = false;
  private probing: Promise<void> | undefined;

  constructor(
    @InjectConnection() private readonly connection: Connection,
    thrown: ThrownErrors,
  ) {
    thrown.listen((error) => {
      if (storeFault(error) === 'full') this.full = true;
    });
  }

  /** Says so for a moment before the server stops listening; an application that is closed without a signal need not wait. */
  async beforeApplicationShutdown(signal?: string): Promise<void> {
    this.stopping = true;
    if (signal !== undefined) await delay(LAST_REQUESTS_MS);
  }

  /** What is up and what is not. */
  async check(): Promise<HealthResponse> {
    const probes: Record<string, ProbeResult> = {
      db: await this.probeStore(),
      process: this.stopping ? { status: 'down', message: 'shutting down' } : { status: 'up' },
    };
    return showHealth(probes);
  }

  private async probeStore(): Promise<ProbeResult> {
    try {
      await this.connection.db?.command({ ping: 1 }, { timeoutMS: PROBE_WITHIN_MS });
    } catch {
      return { status: 'down', message: 'the store does not answer' };
    }
    if (this.full) await (this.probing ??= this.tryWriting());
    return this.full ? { status: 'down', message: 'the store has no space left' } : { status: 'up' };
  }

  /** One at a time, however many ask. */
  private async tryWriting(): Promise<void> {
    const filler = 'x'.repeat(PROBE_BYTES);
    try {
      const probes = this.connection.collection<{ _id: string }>(PROBE_COLLECTION);
      await probes.updateOne(
        { _id: 'space' },
        { $set: { at: new Date(), filler } },
        { upsert: true, timeoutMS: PROBE_WITHIN_MS },
      );
      await probes.deleteOne({ _id: 'space' });
      this.full = false;
    } catch {
      // still full, or away: the next look tries again
    } finally {
      this.probing = undefined;
    }
  }
}
