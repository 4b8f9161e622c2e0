import { Module } from '@nestjs/common';
import { EventsModule } from '../../engine/events/index.js';
import { SubscribersModule } from '../../audience/subscribers/index.js';
import { WorkflowsModule } from '../../content/workflows/index.js';
import { NotificationsModule } from '../notifications/index.js';
import { WhyController } from './why.controller.js';
import { WhyService } from './why.service.js';

@Module({
  imports: [EventsModule, NotificationsModule, SubscribersModule, WorkflowsModule],
  controllers: [WhyController],
  providers: [WhyService],
  exports: [WhyService],
})
export class WhyModule {}
