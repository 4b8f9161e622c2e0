import { type DynamicModule, Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Subscriber, SubscriberSchema } from './subscriber.schema.js';
import { SubscribersController } from './subscribers.controller.js';
import { SubscribersService } from './subscribers.service.js';

@Module({})
export class AppModule {
  static forRoot(uri: string): DynamicModule {
    return {
      module: AppModule,
      imports: [
        MongooseModule.forRoot(uri),
        MongooseModule.forFeature([{ name: Subscriber.name, schema: SubscriberSchema }]),
      ],
      controllers: [SubscribersController],
      providers: [SubscribersService],
    };
  }
}
