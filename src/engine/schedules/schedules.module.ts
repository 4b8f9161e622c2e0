import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { SegmentsModule } from '../../audience/segments/index.js';
import { SubscribersModule } from '../../audience/subscribers/index.js';
import { TopicsModule } from '../../audience/topics/index.js';
import { WorkflowsModule } from '../../content/workflows/index.js';
import { EventsModule } from '../events/index.js';
import { Schedule, ScheduleSchema } from './schedule.schema.js';
import { ScheduleErasure } from './schedule-erasure.js';
import { ScheduleQueue } from './schedule-queue.js';
import { ScheduleReferences } from './schedule-references.js';
import { ScheduleTrigger } from './schedule-trigger.js';
import { ScheduleWorker } from './schedule-worker.js';
import { SchedulesController } from './schedules.controller.js';
import { SchedulesService } from './schedules.service.js';

@Module({
  imports: [
    MongooseModule.forFeature([{ name: Schedule.name, schema: ScheduleSchema }]),
    EventsModule,
    SubscribersModule,
    TopicsModule,
    SegmentsModule,
    WorkflowsModule,
  ],
  controllers: [SchedulesController],
  providers: [SchedulesService, ScheduleQueue, ScheduleReferences, ScheduleTrigger, ScheduleWorker, ScheduleErasure],
  exports: [ScheduleErasure, ScheduleQueue, ScheduleWorker],
})
export class SchedulesModule {}
