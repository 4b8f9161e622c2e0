import cluster from 'node:cluster';
import { Injectable, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { AppConfig } from '#libs/config';
import { AppLogger } from '#libs/http-kit';
import {
  hasMetrics,
  hasTraces,
  METRICS_PATH,
  type Metrics,
  type MetricsServer,
  openMetrics,
  openMetricsServer,
  openTraces,
  type OpenTraces,
} from '#libs/telemetry';
import { measureCommands } from './store-commands.js';
import { WorkBacklogs } from './work-backlogs.js';

@Injectable()
export class Monitoring implements OnModuleInit, OnApplicationShutdown {
  metrics: Metrics | undefined;
  private server: MetricsServer | undefined;
  private traces: OpenTraces | undefined;
  private stopMeasuring: () => void = () => undefined;

  constructor(
    private readonly config: AppConfig,
    private readonly backlogs: WorkBacklogs,
    private readonly logger: AppLogger,
    @InjectConnection() private readonly connection: Connection,
  ) {}

  async onModuleInit(): Promise<void> {
    if (hasTraces(this.config)) this.traces = await openTraces(this.config);
    if (!hasMetrics(this.config)) return;
    this.metrics = await openMetrics(this.backlogs.gauges());
    this.stopMeasuring = measureCommands(this.connection.getClient());
    // The first process of a group serves the metrics of all.
    if (cluster.isWorker) return;
    this.server = await openMetricsServer(this.config, this.metrics);
    if (this.server !== undefined)
      this.logger.event('info', 'serving metrics', { path: METRICS_PATH, port: this.server.port });
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopMeasuring();
    this.metrics?.close();
    await Promise.all([this.server?.close(), this.traces?.close()]);
  }
}
