import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AppLogger } from '#libs/http-kit';
import { Background } from '#libs/work';
import { SubscribersModule } from '../../audience/subscribers/index.js';
import { TopicsModule } from '../../audience/topics/index.js';
import { IntegrationsModule } from '../../channels/integrations/index.js';
import { WorkflowsModule } from '../../content/workflows/index.js';
import { DeliveryModule } from '../../engine/delivery/index.js';
import { EventsModule } from '../../engine/events/index.js';
import { ActivityModule } from '../../outcomes/activity/index.js';
import { EnvironmentsModule } from '../../platform/environments/index.js';
import { AlertChecks } from './alert-checks.js';
import { AlertSender } from './alert-sender.js';
import { AlertWorker } from './alert-worker.js';
import { AlertWorkflows } from './alert-workflows.js';
import { AlertsController } from './alerts.controller.js';
import { Alerts, AlertsSchema } from './alerts.schema.js';
import { AlertsService } from './alerts.service.js';

@Module({
  imports: [
    MongooseModule.forFeature([{ name: Alerts.name, schema: AlertsSchema }]),
    ActivityModule,
    DeliveryModule,
    EnvironmentsModule,
    EventsModule,
    IntegrationsModule,
    SubscribersModule,
    TopicsModule,
    WorkflowsModule,
  ],
  controllers: [AlertsController],
  providers: [
    AlertsService,
    AlertChecks,
    AlertSender,
    AlertWorker,
    AlertWorkflows,
    {
      provide: Background,
      inject: [AppLogger],
      useFactory: (logger: AppLogger) => new Background((error) => logger.error(error, 'Alerts')),
    },
  ],
})
export class AlertsModule {}
