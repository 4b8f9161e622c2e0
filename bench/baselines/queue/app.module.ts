import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { DELIVERIES, DeliveryProcessor } from './delivery.processor.js';
import { EventsController } from './events.controller.js';
import { Message, MessageSchema } from './message.schema.js';
import { Subscriber, SubscriberSchema } from './subscriber.schema.js';

@Module({})
export class AppModule {
  static forRoot(uri: string, redisPort: number): DynamicModule {
    return {
      module: AppModule,
      imports: [
        MongooseModule.forRoot(uri),
        MongooseModule.forFeature([
          { name: Message.name, schema: MessageSchema },
          { name: Subscriber.name, schema: SubscriberSchema },
        ]),
        BullModule.forRoot({ connection: { host: '127.0.0.1', port: redisPort } }),
        BullModule.registerQueue({ name: DELIVERIES, defaultJobOptions: { attempts: 3, removeOnComplete: true } }),
      ],
      controllers: [EventsController],
      providers: [DeliveryProcessor],
    };
  }
}
