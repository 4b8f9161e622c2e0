import { Module } from '@nestjs/common';
import { ExecutionDetailsModule } from '../../execution-details/index.js';
import { ExpansionModule } from '../expansion/expansion.module.js';
import { QueuesModule } from '../queues/queues.module.js';
import { RecordsModule } from '../records/records.module.js';
import { RunModule } from '../run/run.module.js';
import { AwaitingRuns } from './awaiting-runs.js';
import { BulkReplayer } from './bulk-replayer.js';
import { CancelService } from './cancel.service.js';
import { EventErasure } from './event-erasure.js';
import { HeldRuns } from './held-runs.js';
import { NotificationActionsController } from './notification-actions.controller.js';
import { ReplayService } from './replay.service.js';
import { RunErasure } from './run-erasure.js';

@Module({
  imports: [RecordsModule, QueuesModule, RunModule, ExpansionModule, ExecutionDetailsModule],
  controllers: [NotificationActionsController],
  providers: [ReplayService, BulkReplayer, CancelService, HeldRuns, AwaitingRuns, RunErasure, EventErasure],
  exports: [BulkReplayer, AwaitingRuns, RunErasure, EventErasure],
})
export class ActionsModule {}
