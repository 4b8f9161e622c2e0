import { Injectable, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, mongo } from 'mongoose';
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
  STORE_COMMANDS,
  STORE_FAULTS,
} from '#libs/telemetry';
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

type OfConnection = Pick<mongo.ConnectionCheckedOutEvent, 'address' | 'connectionId'>;

/**
 * Times how long each command holds a connection. Command monitoring of the driver would read every reply twice.
 * @returns a function that stops it
 */
function measureCommands(client: mongo.MongoClient): () => void {
  const begun = new Map<string, number>();
  const keyOf = ({ address, connectionId }: OfConnection): string => `${address} ${connectionId}`;
  const begin = (event: OfConnection): void => void begun.set(keyOf(event), performance.now());
  const end = (event: OfConnection): void => {
    const key = keyOf(event);
    const startedAt = begun.get(key);
    if (startedAt === undefined) return;
    begun.delete(key);
    STORE_COMMANDS.observeMs({}, performance.now() - startedAt);
  };
  const noteFault = (kind: string) => (): void => STORE_FAULTS.add({ kind });
  const [failed, cleared] = [noteFault('no_connection'), noteFault('connections_dropped')];
  client.on('connectionCheckedOut', begin).on('connectionCheckedIn', end);
  client.on('connectionCheckOutFailed', failed).on('connectionPoolCleared', cleared);
  return () => {
    client.off('connectionCheckedOut', begin).off('connectionCheckedIn', end);
    client.off('connectionCheckOutFailed', failed).off('connectionPoolCleared', cleared);
  };
}
