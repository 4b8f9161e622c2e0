import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { NOTIFICATION_MODEL, NotificationSchema } from './notification.record.js';
import { NotificationStore } from './notification-store.js';
import { TRIGGER_EVENT_MODEL, TriggerEventSchema } from './trigger-event.record.js';
import { TriggerEventStore } from './trigger-event-store.js';

@Module({
  imports: [
    MongooseModule.forFeature([
      { name: NOTIFICATION_MODEL, schema: NotificationSchema },
      { name: TRIGGER_EVENT_MODEL, schema: TriggerEventSchema },
    ]),
  ],
  providers: [NotificationStore, TriggerEventStore],
  exports: [NotificationStore, TriggerEventStore],
})
export class NotificationsModule {}
