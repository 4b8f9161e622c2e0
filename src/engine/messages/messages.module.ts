import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { FeedsModule } from '../../content/feeds/index.js';
import { SubscribersModule } from '../../audience/subscribers/index.js';
import { WorkflowsModule } from '../../content/workflows/index.js';
import { CaughtMessages } from './caught-messages.js';
import { FeedSignals } from './feed-signals.js';
import { InboxMessagesService } from './inbox-messages.service.js';
import { LiveFeedReader } from './live-feed-reader.js';
import { MarksService } from './marks.service.js';
import { Message, MessageSchema } from './message.schema.js';
import { MessageActionsService } from './message-actions.service.js';
import { MessagePresenter } from './message-presenter.js';
import { MessageChanges } from './message-changes.js';
import { MessageRemovalsService } from './message-removals.service.js';
import { MessageErasure } from './message-erasure.js';
import { EarlyEngagement, EarlyEngagementSchema } from './early-engagement.schema.js';
import { EarlyEngagements } from './early-engagements.js';
import { Engagements } from './engagements.js';
import { MessageCounts } from './message-counts.js';
import { MessageReports } from './message-reports.js';
import { MessageStore } from './message-store.js';
import { MessagesController } from './messages.controller.js';
import { MessagesService } from './messages.service.js';
import { PUSH_RECEIPT_MODEL, PushReceipts, PushReceiptSchema } from './push-receipts.js';
import { SentMessages } from './sent-messages.js';
import { SnoozeWorker } from './snooze-worker.js';
import { SubscriberFeedService } from './subscriber-feed.service.js';
import { SubscriberMessagesController } from './subscriber-messages.controller.js';

@Module({
  imports: [
    MongooseModule.forFeature([
      { name: Message.name, schema: MessageSchema },
      { name: EarlyEngagement.name, schema: EarlyEngagementSchema },
      { name: PUSH_RECEIPT_MODEL, schema: PushReceiptSchema },
    ]),
    FeedsModule,
    SubscribersModule,
    WorkflowsModule,
  ],
  controllers: [MessagesController, SubscriberMessagesController],
  providers: [
    MessagesService,
    SubscriberFeedService,
    MarksService,
    MessageActionsService,
    MessageRemovalsService,
    MessagePresenter,
    MessageReports,
    Engagements,
    EarlyEngagements,
    PushReceipts,
    MessageChanges,
    MessageCounts,
    MessageStore,
    SentMessages,
    CaughtMessages,
    FeedSignals,
    LiveFeedReader,
    InboxMessagesService,
    SnoozeWorker,
    MessageErasure,
  ],
  exports: [
    SubscriberFeedService,
    MarksService,
    MessageActionsService,
    MessageRemovalsService,
    MessageReports,
    Engagements,
    EarlyEngagements,
    PushReceipts,
    MessageChanges,
    MessageCounts,
    MessageStore,
    SentMessages,
    CaughtMessages,
    FeedSignals,
    LiveFeedReader,
    InboxMessagesService,
    SnoozeWorker,
    MessageErasure,
  ],
})
export class MessagesModule {}
