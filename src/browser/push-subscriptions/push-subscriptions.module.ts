import { Module } from '@nestjs/common';
import { IntegrationsModule } from '../../management/integrations/index.js';
import { SubscribersModule } from '../../management/subscribers/index.js';
import { PushSubscriptionsController } from './push-subscriptions.controller.js';
import { PushSubscriptionsService } from './push-subscriptions.service.js';

@Module({
  imports: [IntegrationsModule, SubscribersModule],
  controllers: [PushSubscriptionsController],
  providers: [PushSubscriptionsService],
})
export class PushSubscriptionsModule {}
