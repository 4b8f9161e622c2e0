import { Module } from '@nestjs/common';
import { MessagesModule } from '../../engine/messages/index.js';
import { EnvironmentsModule } from '../../platform/environments/index.js';
import { IntegrationsModule } from '../../channels/integrations/index.js';
import { SubscribersModule } from '../../audience/subscribers/index.js';
import { CatcherController } from './catcher.controller.js';
import { CatcherService } from './catcher.service.js';

@Module({
  imports: [EnvironmentsModule, IntegrationsModule, MessagesModule, SubscribersModule],
  controllers: [CatcherController],
  providers: [CatcherService],
})
export class CatcherModule {}
