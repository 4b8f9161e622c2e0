import { Module } from '@nestjs/common';
import { DeliveryModule } from '../../engine/delivery/index.js';
import { MessagesModule } from '../../engine/messages/index.js';
import { QuestionsModule } from '../../engine/questions/index.js';
import { SchedulesModule } from '../../engine/schedules/index.js';
import { EnvironmentsModule } from '../../platform/environments/index.js';
import { ProviderCallbacksModule } from '../../outcomes/provider-callbacks/index.js';
import { WebhooksModule } from '../../outcomes/webhooks/index.js';
import { TestClockService } from './test-clock.service.js';
import { TestingController } from './testing.controller.js';
import { WaitingWork } from './waiting-work.js';

@Module({
  imports: [
    DeliveryModule,
    EnvironmentsModule,
    MessagesModule,
    ProviderCallbacksModule,
    QuestionsModule,
    SchedulesModule,
    WebhooksModule,
  ],
  controllers: [TestingController],
  providers: [TestClockService, WaitingWork],
})
export class TestingModule {}
