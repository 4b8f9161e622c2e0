import { Module } from '@nestjs/common';
import { AppLogger } from '#libs/http-kit';
import { Background } from '#libs/work';
import { DeliveryModule, EventErasure, RunErasure } from '../../engine/delivery/index.js';
import { MessagesModule } from '../../engine/messages/index.js';
import { QuestionErasure, QuestionsModule } from '../../engine/questions/index.js';
import { ScheduleErasure, SchedulesModule } from '../../engine/schedules/index.js';
import { PreferenceRecords, PreferencesModule } from '../../content/preferences/index.js';
import { type HoldsPersonalData, SubscriberRecords, SubscribersModule } from '../../audience/subscribers/index.js';
import { TopicLinks, TopicsModule } from '../../audience/topics/index.js';
import { WebhooksModule } from '../../outcomes/webhooks/index.js';
import { ExecutionDetailsModule } from '../../engine/execution-details/index.js';
import { Erasure, PersonalDataHolders } from './erasure.js';
import { ErasureQueue } from './erasure-queue.js';
import { ErasureWorker } from './erasure-worker.js';
import { ExportController } from './export.controller.js';
import { ExportService } from './export.service.js';
import { HeldRecords } from './held-records.js';
import { MessageData } from './message-data.js';

@Module({
  imports: [
    DeliveryModule,
    ExecutionDetailsModule,
    MessagesModule,
    PreferencesModule,
    QuestionsModule,
    SchedulesModule,
    SubscribersModule,
    TopicsModule,
    WebhooksModule,
  ],
  controllers: [ExportController],
  providers: [
    HeldRecords,
    ExportService,
    MessageData,
    {
      provide: PersonalDataHolders,
      // Nothing new is sent or shown before the rest is searched.
      inject: [
        SubscriberRecords,
        TopicLinks,
        PreferenceRecords,
        ScheduleErasure,
        QuestionErasure,
        RunErasure,
        MessageData,
        EventErasure,
      ],
      useFactory: (...holders: HoldsPersonalData[]) => new PersonalDataHolders(holders),
    },
    ErasureQueue,
    Erasure,
    ErasureWorker,
    {
      provide: Background,
      inject: [AppLogger],
      useFactory: (logger: AppLogger) => new Background((error) => logger.error(error, 'Erasures')),
    },
  ],
  exports: [ErasureWorker],
})
export class PersonalDataModule {}
