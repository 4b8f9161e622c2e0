import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { SubscribersModule } from '../subscribers/index.js';
import { TopicLinks } from './topic-links.js';
import { Topic, TopicSchema, TopicSubscriber, TopicSubscriberSchema } from './topic.schema.js';
import { TopicsController } from './topics.controller.js';
import { TopicsService } from './topics.service.js';

@Module({
  imports: [
    MongooseModule.forFeature([
      { name: Topic.name, schema: TopicSchema },
      { name: TopicSubscriber.name, schema: TopicSubscriberSchema },
    ]),
    SubscribersModule,
  ],
  controllers: [TopicsController],
  providers: [TopicsService, TopicLinks],
  exports: [TopicsService, TopicLinks],
})
export class TopicsModule {}
