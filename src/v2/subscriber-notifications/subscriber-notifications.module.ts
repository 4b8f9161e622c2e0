import { Module } from '@nestjs/common';
import { SubscribersModule } from '../../audience/subscribers/index.js';
import { InboxModule } from '../../browser/inbox/index.js';
import { MessagesModule } from '../../engine/messages/index.js';
import { NotificationOwners } from './notification-owners.js';
import { SubscriberNotificationController } from './subscriber-notification.controller.js';
import { SubscriberNotificationsController } from './subscriber-notifications.controller.js';

@Module({
  imports: [InboxModule, MessagesModule, SubscribersModule],
  controllers: [SubscriberNotificationsController, SubscriberNotificationController],
  providers: [NotificationOwners],
})
export class SubscriberNotificationsModule {}
