import { Module } from '@nestjs/common';
import { IntegrationsModule } from '../../channels/integrations/index.js';
import { SubscribersModule } from '../../audience/subscribers/index.js';
import { PushSubscriptionsController } from './push-subscriptions.controller.js';
import { PushSubscriptionsService } from './push-subscriptions.service.js';

@Module({
  imports: [IntegrationsModule, SubscribersModule],
  controllers: [PushSubscriptionsController],
  providers: [PushSubscriptionsService],
})
export class PushSubscriptionsModule {}
