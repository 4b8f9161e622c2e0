import { Module } from '@nestjs/common';
import { DeliveryModule } from '../../engine/delivery/index.js';
import { ExecutionDetailsModule } from '../../engine/execution-details/index.js';
import { SubscribersModule } from '../../audience/subscribers/index.js';
import { WorkflowsModule } from '../../content/workflows/index.js';
import { ActivityModule } from '../activity/index.js';
import { NotificationCounts } from './notification-counts.js';
import { NotificationFilter } from './notification-filter.js';
import { NotificationReads } from './notification-reads.js';
import { NotificationStatsService } from './notification-stats.service.js';
import { NotificationsController } from './notifications.controller.js';
import { NotificationsService } from './notifications.service.js';

@Module({
  imports: [ActivityModule, DeliveryModule, ExecutionDetailsModule, SubscribersModule, WorkflowsModule],
  controllers: [NotificationsController],
  providers: [
    NotificationCounts,
    NotificationReads,
    NotificationFilter,
    NotificationsService,
    NotificationStatsService,
  ],
  exports: [NotificationFilter, NotificationReads, NotificationsService],
})
export class NotificationsModule {}
