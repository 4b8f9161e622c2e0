import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { FeedsModule } from '../../content/feeds/index.js';
import { SubscribersModule } from '../../audience/subscribers/index.js';
import { WorkflowsModule } from '../../content/workflows/index.js';
import { CaughtMessages } from './store/caught-messages.js';
import { FeedSignals } from './live/feed-signals.js';
import { InboxMessagesService } from './inbox/inbox-messages.service.js';
import { LiveFeedReader } from './live/live-feed-reader.js';
import { MarksService } from './marks/marks.service.js';
import { Message, MessageSchema } from './records/message.schema.js';
import { MessageActionsService } from './marks/message-actions.service.js';
import { MessagePresenter } from './views/message-presenter.js';
import { MessageChanges } from './store/message-changes.js';
import { MessageRemovalsService } from './marks/message-removals.service.js';
import { MessageErasure } from './reports/message-erasure.js';
import { EarlyEngagement, EarlyEngagementSchema } from './reports/early-engagement.schema.js';
import { EarlyEngagements } from './reports/early-engagements.js';
import { Engagements } from './reports/engagements.js';
import { MessageCounts } from './reports/message-counts.js';
import { MessageReports } from './reports/message-reports.js';
import { Replacements } from './store/replacements.js';
import { MessageStore } from './store/message-store.js';
import { MessagesController } from './messages.controller.js';
import { MessagesService } from './messages.service.js';
import { PUSH_RECEIPT_MODEL, PushReceipts, PushReceiptSchema } from './reports/push-receipts.js';
import { QuestionCopies } from './marks/question-copies.js';
import { SentMessages } from './store/sent-messages.js';
import { SnoozeWorker } from './marks/snooze-worker.js';
import { SubscriberFeedService } from './inbox/subscriber-feed.service.js';
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
    QuestionCopies,
    MessagePresenter,
    MessageReports,
    Engagements,
    EarlyEngagements,
    PushReceipts,
    MessageChanges,
    MessageCounts,
    MessageStore,
    Replacements,
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
    QuestionCopies,
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
