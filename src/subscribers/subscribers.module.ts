import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { IntegrationsModule } from '../integrations/index.js';
import { Subscriber, SubscriberSchema } from './subscriber.schema.js';
import { SubscriberPresence } from './subscriber-presence.js';
import { SubscriberSummaries } from './subscriber-summaries.js';
import { SubscribersController } from './subscribers.controller.js';
import { SubscribersService } from './subscribers.service.js';

@Module({
  imports: [IntegrationsModule, MongooseModule.forFeature([{ name: Subscriber.name, schema: SubscriberSchema }])],
  controllers: [SubscribersController],
  providers: [SubscribersService, SubscriberSummaries, SubscriberPresence],
  exports: [SubscribersService, SubscriberSummaries, SubscriberPresence],
})
export class SubscribersModule {}
