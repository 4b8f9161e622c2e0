import { Module } from '@nestjs/common';
import { InboxModule } from './inbox/index.js';
import { MailTrackingModule } from './mail-tracking/index.js';
import { PreferencePagesModule } from './preference-pages/index.js';
import { PushSubscriptionsModule } from './push-subscriptions/index.js';
import { QuestionPagesModule } from './question-pages/index.js';
import { RealTimeModule } from './real-time/index.js';
import { SubscriberSessionsModule } from './subscriber-sessions/index.js';
import { WidgetsModule } from './widgets/index.js';

@Module({
  imports: [
    SubscriberSessionsModule,
    WidgetsModule,
    RealTimeModule,
    PushSubscriptionsModule,
    InboxModule,
    PreferencePagesModule,
    QuestionPagesModule,
    MailTrackingModule,
  ],
})
export class BrowserModule {}
