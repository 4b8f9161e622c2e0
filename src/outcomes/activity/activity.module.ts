import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { DeliveryModule } from '../../engine/delivery/index.js';
import { MessagesModule } from '../../engine/messages/index.js';
import { WorkflowsModule } from '../../content/workflows/index.js';
import { ActivityController } from './activity.controller.js';
import { ActivitySummaryService } from './activity-summary.service.js';
import { StepFigures } from './step-figures.service.js';
import { ActivityTallies } from './activity-tallies.js';
import { DeliveryBucket, DeliveryBucketSchema } from './delivery-bucket.schema.js';
import { DeliveryHealthService } from './delivery-health.service.js';
import { DeliveryRecorder } from './delivery-recorder.js';
import { HourCounter } from './hour-counter.js';
import { TALLY_MODEL, TALLY_WORK_MODEL, TallySchema, TallyWorkSchema } from './tally.schema.js';
import { TallyStore } from './tally-store.js';
import { TalliedRuns } from './tallied-runs.js';
import { TallyWorker } from './tally-worker.js';
import { WaitingRuns } from './waiting-runs.js';

@Module({
  imports: [
    MongooseModule.forFeature([
      { name: DeliveryBucket.name, schema: DeliveryBucketSchema },
      { name: TALLY_MODEL, schema: TallySchema },
      { name: TALLY_WORK_MODEL, schema: TallyWorkSchema },
    ]),
    DeliveryModule,
    MessagesModule,
    WorkflowsModule,
  ],
  controllers: [ActivityController],
  providers: [
    DeliveryRecorder,
    DeliveryHealthService,
    HourCounter,
    TallyStore,
    TalliedRuns,
    ActivityTallies,
    TallyWorker,
    WaitingRuns,
    ActivitySummaryService,
    StepFigures,
  ],
  exports: [TalliedRuns, ActivitySummaryService, DeliveryHealthService],
})
export class ActivityModule {}
