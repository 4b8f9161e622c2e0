import { Module } from '@nestjs/common';
import { ActivityModule } from './activity/index.js';
import { AuditLogModule } from './audit-log/index.js';
import { NotificationReplaysModule } from './notification-replays/index.js';
import { NotificationsModule } from './notifications/index.js';
import { ProviderCallbacksModule } from './provider-callbacks/index.js';
import { WebhooksModule } from './webhooks/index.js';
import { WhyModule } from './why/index.js';

@Module({
  imports: [
    ProviderCallbacksModule,
    NotificationsModule,
    NotificationReplaysModule,
    ActivityModule,
    WebhooksModule,
    WhyModule,
    AuditLogModule,
  ],
})
export class OutcomesModule {}
