import { Module } from '@nestjs/common';
import { AppLogger } from '#libs/http-kit';
import { Background } from '#libs/work';
import { ExecutionDetailsModule } from '../../engine/execution-details/index.js';
import { MessagesModule } from '../../engine/messages/index.js';
import { SubscribersModule } from '../../audience/subscribers/index.js';
import { RecipientLinksModule } from '../../platform/recipient-links/index.js';
import { EngagementTeller } from './engagement-teller.js';
import { MailTrackingController } from './mail-tracking.controller.js';
import { RecordedEngagements } from './recorded-engagements.js';

@Module({
  imports: [RecipientLinksModule, MessagesModule, SubscribersModule, ExecutionDetailsModule],
  controllers: [MailTrackingController],
  providers: [
    EngagementTeller,
    RecordedEngagements,
    {
      provide: Background,
      inject: [AppLogger],
      useFactory: (logger: AppLogger) => new Background((error) => logger.error(error, 'Opens and clicks')),
    },
  ],
})
export class MailTrackingModule {}
