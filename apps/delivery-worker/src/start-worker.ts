import { type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import type { Clock } from '#libs/common';
import type { AppConfig } from '#libs/config';
import { AppLogger } from '#libs/http-kit';
import { ensureIndexes, type Store } from '#libs/persistence';
import { DeliveryWorker } from '../../../src/engine/delivery/index.js';
import { HealthService } from '../../../src/operations/health/index.js';
import type { RunningProcess } from '../../../src/bootstrap/run-process.js';
import { ChangeSweeper, WebhookWorker } from '../../../src/outcomes/webhooks/index.js';
import { DeliveryWorkerModule } from './delivery-worker.module.js';
import { openHealthPort, portOf } from './health-port.js';

/** A worker that delivers. */
export interface RunningWorker extends RunningProcess {
  readonly context: INestApplicationContext;
  /** Port of its health check. */
  readonly healthPort: number;
}

/** Starts a worker on a store that it shares with the API and other workers. */
export async function startWorker(config: AppConfig, store: Store, clock?: Clock): Promise<RunningWorker> {
  const logger = new AppLogger(config);
  const context = await NestFactory.createApplicationContext(DeliveryWorkerModule.forRoot(config, store, clock), {
    abortOnError: false,
    logger,
  });
  await ensureIndexes(context.get<Connection>(getConnectionToken()));
  // DELIVERY_WORKER is for processes that serve the API as well.
  context.get(DeliveryWorker).start();
  context.get(WebhookWorker).start();
  context.get(ChangeSweeper).start();
  const health = await openHealthPort(context.get(HealthService), config.get('WORKER_PORT'), config.get('HOST'));
  const healthPort = portOf(health);
  logger.event('info', 'delivering', { healthPort, store: store.description });
  return {
    context,
    healthPort,
    stop: async () => {
      await context.close();
      await new Promise((resolve) => {
        health.close(resolve);
        health.closeAllConnections();
      });
    },
  };
}
