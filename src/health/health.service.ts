import { setTimeout as delay } from 'node:timers/promises';
import { BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { HealthResponse, type ProbeResult } from './dto/health.response.js';

const PROBE_WITHIN_MS = 2_000;
/** How long requests are still taken after a signal: what has been sent by then has also been read. */
const LAST_REQUESTS_MS = 250;

@Injectable()
export class HealthService implements BeforeApplicationShutdown {
  private stopping = false;

  constructor(@InjectConnection() private readonly connection: Connection) {}

  /** Says so for a moment before the server stops listening; an application that is closed without a signal need not wait. */
  async beforeApplicationShutdown(signal?: string): Promise<void> {
    this.stopping = true;
    if (signal !== undefined) await delay(LAST_REQUESTS_MS);
  }

  /** What is up and what is not (decisions 1.3). */
  async check(): Promise<HealthResponse> {
    const probes: Record<string, ProbeResult> = {
      db: await this.probeStore(),
      process: this.stopping ? { status: 'down', message: 'shutting down' } : { status: 'up' },
    };
    return HealthResponse.of(probes);
  }

  private async probeStore(): Promise<ProbeResult> {
    try {
      await this.connection.db?.command({ ping: 1 }, { timeoutMS: PROBE_WITHIN_MS });
      return { status: 'up' };
    } catch {
      return { status: 'down', message: 'the store does not answer' };
    }
  }
}
