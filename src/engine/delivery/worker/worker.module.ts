import { Module } from '@nestjs/common';
import { ExpansionModule } from '../expansion/expansion.module.js';
import { QueuesModule } from '../queues/queues.module.js';
import { RunModule } from '../run/run.module.js';
import { DeliveryWorker, RunWork } from './delivery-worker.js';
import { EventWork } from './event-work.js';

@Module({
  imports: [QueuesModule, RunModule, ExpansionModule],
  providers: [RunWork, EventWork, DeliveryWorker],
  exports: [EventWork, DeliveryWorker],
})
export class WorkerModule {}
