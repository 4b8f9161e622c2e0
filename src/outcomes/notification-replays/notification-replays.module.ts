import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AppLogger } from '#libs/http-kit';
import { Background } from '#libs/work';
import { DeliveryModule } from '../../engine/delivery/index.js';
import { NotificationsModule } from '../notifications/index.js';
import { NotificationReplay, NotificationReplaySchema } from './notification-replay.schema.js';
import { NotificationReplaysController } from './notification-replays.controller.js';
import { NotificationReplaysService } from './notification-replays.service.js';
import { ReplayPortions } from './replay-portions.js';
import { ReplayQueue } from './replay-queue.js';
import { ReplayWorker } from './replay-worker.js';

@Module({
  imports: [
    MongooseModule.forFeature([{ name: NotificationReplay.name, schema: NotificationReplaySchema }]),
    DeliveryModule,
    NotificationsModule,
  ],
  controllers: [NotificationReplaysController],
  providers: [
    NotificationReplaysService,
    ReplayQueue,
    ReplayPortions,
    ReplayWorker,
    {
      provide: Background,
      inject: [AppLogger],
      useFactory: (logger: AppLogger) => new Background((error) => logger.error(error, 'Replays')),
    },
  ],
  exports: [NotificationReplaysService],
})
export class NotificationReplaysModule {}
