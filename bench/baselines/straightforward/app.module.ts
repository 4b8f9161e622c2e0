import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { MongooseModule } from '@nestjs/mongoose';
import { ApiKeyGuard } from './api-key.guard.js';
import { EventsController } from './events.controller.js';
import { MessagesController } from './messages.controller.js';
import { MessagesService } from './messages.service.js';
import { ApiKey, ApiKeySchema } from './schemas/api-key.schema.js';
import { Message, MessageSchema } from './schemas/message.schema.js';
import { Subscriber, SubscriberSchema } from './schemas/subscriber.schema.js';
import { TriggerEvent, TriggerEventSchema } from './schemas/trigger-event.schema.js';
import { Workflow, WorkflowSchema } from './schemas/workflow.schema.js';
import { SubscribersController } from './subscribers.controller.js';
import { SubscribersService } from './subscribers.service.js';

@Module({})
export class AppModule {
  static forRoot(uri: string): DynamicModule {
    return {
      module: AppModule,
      imports: [
        // The indexes are copied from Herald's database.
        MongooseModule.forRoot(uri, { autoIndex: false, maxPoolSize: 20 }),
        MongooseModule.forFeature([
          { name: ApiKey.name, schema: ApiKeySchema },
          { name: Message.name, schema: MessageSchema },
          { name: Subscriber.name, schema: SubscriberSchema },
          { name: TriggerEvent.name, schema: TriggerEventSchema },
          { name: Workflow.name, schema: WorkflowSchema },
        ]),
      ],
      controllers: [SubscribersController, MessagesController, EventsController],
      providers: [SubscribersService, MessagesService, { provide: APP_GUARD, useClass: ApiKeyGuard }],
    };
  }
}
