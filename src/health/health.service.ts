import { BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { HealthResponse, type ProbeResult } from './dto/health.response.js';

const PROBE_WITHIN_MS = 2_000;

@Injectable()
export class HealthService implements BeforeApplicationShutdown {
  private stopping = false;

  constructor(@InjectConnection() private readonly connection: Connection) {}

  beforeApplicationShutdown(): void {
    this.stopping = true;
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
