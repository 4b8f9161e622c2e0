import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { SubscribersModule } from '../subscribers/index.js';
import { TopicDirectory } from './topic-directory.js';
import { TopicLinks } from './topic-links.js';
import { TopicSubscriptions } from './topic-subscriptions.js';
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
  providers: [TopicsService, TopicLinks, TopicDirectory, TopicSubscriptions],
  exports: [TopicsService, TopicLinks, TopicDirectory, TopicSubscriptions],
})
export class TopicsModule {}
