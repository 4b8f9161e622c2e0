import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AppLogger } from '#libs/http-kit';
import { Background } from '#libs/work';
import { AuthModule } from '../../platform/auth/index.js';
import { DeliveryModule } from '../../engine/delivery/index.js';
import { MessagesModule } from '../../engine/messages/index.js';
import { SubscribersModule } from '../../audience/subscribers/index.js';
import { EventEndsModule } from '../../engine/events/index.js';
import { ChangeSweeper, WebhookSweep, WebhookSweepSchema } from './change-sweeper.js';
import { EventEndTeller } from './event-end-teller.js';
import { EndpointDirectory } from './endpoint-directory.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import { WebhookDelivery, WebhookDeliverySchema } from './webhook-delivery.schema.js';
import { WebhookEndpoint, WebhookEndpointSchema } from './webhook-endpoint.schema.js';
import { WebhookOutcomes } from './webhook-outcomes.js';
import { WebhookQueue } from './webhook-queue.js';
import { WebhookRecorder } from './webhook-recorder.js';
import { WebhookSender } from './webhook-sender.js';
import { WebhookWorker } from './webhook-worker.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksListener } from './webhooks.listener.js';
import { WebhooksService } from './webhooks.service.js';

const RECORDING = [EndpointDirectory, WebhookRecorder, WebhooksListener, ChangeSweeper, EventEndTeller];
const SENDING = [WebhookQueue, WebhookSender, WebhookOutcomes, WebhookWorker];

@Module({
  imports: [
    AuthModule,
    MongooseModule.forFeature([
      { name: WebhookEndpoint.name, schema: WebhookEndpointSchema },
      { name: WebhookDelivery.name, schema: WebhookDeliverySchema },
      { name: WebhookSweep.name, schema: WebhookSweepSchema },
    ]),
    DeliveryModule,
    EventEndsModule,
    MessagesModule,
    SubscribersModule,
  ],
  controllers: [WebhooksController],
  providers: [
    WebhooksService,
    WebhookDeliveriesService,
    ...RECORDING,
    ...SENDING,
    {
      provide: Background,
      inject: [AppLogger],
      useFactory: (logger: AppLogger) => new Background((error) => logger.error(error, 'Webhooks')),
    },
  ],
  exports: [WebhookDeliveriesService, ChangeSweeper, WebhookQueue, WebhookWorker],
})
export class WebhooksModule {}
