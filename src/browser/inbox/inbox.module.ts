import { Module } from '@nestjs/common';
import { MessagesModule } from '../../engine/messages/index.js';
import { PreferencesModule } from '../../content/preferences/index.js';
import { SubscriberSessionsModule } from '../subscriber-sessions/index.js';
import { SubscribersModule } from '../../audience/subscribers/index.js';
import { WorkflowsModule } from '../../content/workflows/index.js';
import { InboxPreferencesController } from './inbox-preferences.controller.js';
import { InboxPreferencesService } from './inbox-preferences.service.js';
import { InboxSessionController } from './inbox-session.controller.js';
import { InboxNotificationController } from './inbox-notification.controller.js';
import { InboxNotificationsController } from './inbox-notifications.controller.js';
import { InboxNotificationsService } from './inbox-notifications.service.js';

@Module({
  imports: [MessagesModule, PreferencesModule, SubscriberSessionsModule, SubscribersModule, WorkflowsModule],
  controllers: [
    InboxSessionController,
    InboxNotificationsController,
    InboxNotificationController,
    InboxPreferencesController,
  ],
  providers: [InboxNotificationsService, InboxPreferencesService],
  exports: [InboxNotificationsService, InboxPreferencesService],
})
export class InboxModule {}
