import { Module } from '@nestjs/common';
import { DeliveryModule } from '../../engine/delivery/index.js';
import { QuestionsModule } from '../../engine/questions/index.js';
import { SchedulesModule } from '../../engine/schedules/index.js';
import { WebhooksModule } from '../../outcomes/webhooks/index.js';
import { Monitoring } from './monitoring.service.js';
import { WorkBacklogs } from './work-backlogs.js';

@Module({
  imports: [DeliveryModule, QuestionsModule, SchedulesModule, WebhooksModule],
  providers: [WorkBacklogs, Monitoring],
  exports: [WorkBacklogs, Monitoring],
})
export class MonitoringModule {}
