import { Module } from '@nestjs/common';
import { TopicsModule } from '../../audience/topics/index.js';
import { TopicSubscriptionsController } from './topic-subscriptions.controller.js';
import { TopicsV2Controller } from './topics-v2.controller.js';
import { TopicsV2Service } from './topics-v2.service.js';

@Module({
  imports: [TopicsModule],
  controllers: [TopicsV2Controller, TopicSubscriptionsController],
  providers: [TopicsV2Service],
})
export class TopicsV2Module {}
