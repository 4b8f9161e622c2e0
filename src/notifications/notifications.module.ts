import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ExecutionDetailsModule } from '../execution-details/index.js';
import { SubscribersModule } from '../subscribers/index.js';
import { WorkflowsModule } from '../workflows/index.js';
import { NotificationCounts } from './notification-counts.js';
import { NotificationFilter } from './notification-filter.js';
import { NotificationReads } from './notification-reads.js';
import { NotificationStatsService } from './notification-stats.service.js';
import { NotificationsController } from './notifications.controller.js';
import { NotificationsService } from './notifications.service.js';
import { NOTIFICATION_MODEL, NotificationSchema } from './notification.record.js';
import { NotificationStore } from './notification-store.js';
import { TRIGGER_EVENT_MODEL, TriggerEventSchema } from './trigger-event.record.js';
import { TriggerEventStore } from './trigger-event-store.js';

@Module({
  imports: [
    MongooseModule.forFeature([
      { name: NOTIFICATION_MODEL, schema: NotificationSchema },
      { name: TRIGGER_EVENT_MODEL, schema: TriggerEventSchema },
    ]),
    ExecutionDetailsModule,
    SubscribersModule,
    WorkflowsModule,
  ],
  controllers: [NotificationsController],
  providers: [
    NotificationStore,
    TriggerEventStore,
    NotificationCounts,
    NotificationReads,
    NotificationFilter,
    NotificationsService,
    NotificationStatsService,
  ],
  exports: [NotificationStore, TriggerEventStore],
})
export class NotificationsModule {}
