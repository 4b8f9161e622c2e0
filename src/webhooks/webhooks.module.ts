import { Inject, Injectable, Module, OnApplicationShutdown } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { createOutboundHttp, type OutboundHttp } from '#libs/channels';
import { AppConfig } from '#libs/config';
import { AuthModule } from '../auth/index.js';
import { DeliveryModule } from '../delivery/index.js';
import { MessagesModule } from '../messages/index.js';
import { SubscribersModule } from '../subscribers/index.js';
import { ChangeSweeper } from './change-sweeper.js';
import { EndpointDirectory } from './endpoint-directory.js';
import { WebhookBacklog } from './webhook-backlog.js';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import { WebhookDelivery, WebhookDeliverySchema } from './webhook-delivery.schema.js';
import { WebhookEndpoint, WebhookEndpointSchema } from './webhook-endpoint.schema.js';
import { WebhookRecorder } from './webhook-recorder.js';
import { WebhookSettings } from './webhook-settings.js';
import { WebhookSweep, WebhookSweepSchema } from './webhook-sweep.schema.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksListener } from './webhooks.listener.js';
import { WebhooksService } from './webhooks.service.js';
import { WEBHOOK_HTTP } from './webhooks.tokens.js';
import { DeliveryOutcomes } from './work/delivery-outcomes.js';
import { DeliveryQueue } from './work/delivery-queue.js';
import { WebhookSender } from './work/webhook-sender.js';
import { WebhookWorker } from './work/webhook-worker.js';

@Injectable()
class WebhookHttpShutdown implements OnApplicationShutdown {
  constructor(@Inject(WEBHOOK_HTTP) private readonly http: OutboundHttp) {}

  onApplicationShutdown(): Promise<void> {
    return this.http.close();
  }
}

const WORK = [DeliveryQueue, WebhookSender, DeliveryOutcomes, WebhookWorker];
const NOTES = [EndpointDirectory, WebhookRecorder, WebhooksListener, ChangeSweeper, WebhookSettings];

/** Tells addresses of clients what happens to messages. */
@Module({
  imports: [
    AuthModule,
    MongooseModule.forFeature([
      { name: WebhookEndpoint.name, schema: WebhookEndpointSchema },
      { name: WebhookDelivery.name, schema: WebhookDeliverySchema },
      { name: WebhookSweep.name, schema: WebhookSweepSchema },
    ]),
    DeliveryModule,
    MessagesModule,
    SubscribersModule,
  ],
  controllers: [WebhooksController, WebhookDeliveriesController],
  providers: [
    WebhooksService,
    WebhookDeliveriesService,
    WebhookBacklog,
    ...NOTES,
    ...WORK,
    {
      provide: WEBHOOK_HTTP,
      inject: [AppConfig],
      useFactory: (config: AppConfig) =>
        createOutboundHttp({
          allowPrivateUrls: config.get('ALLOW_PRIVATE_URLS'),
          privateHosts: config.get('PRIVATE_HOSTS'),
        }),
    },
    WebhookHttpShutdown,
  ],
  exports: [ChangeSweeper, WebhookWorker],
})
export class WebhooksModule {}
