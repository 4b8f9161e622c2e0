import { Module } from '@nestjs/common';
import { IntegrationsModule } from '../../channels/integrations/index.js';
import { SubscribersModule } from '../subscribers/index.js';
import { ChatLinksController } from './chat-links.controller.js';
import { ChatLinksService } from './chat-links.service.js';

@Module({
  imports: [IntegrationsModule, SubscribersModule],
  controllers: [ChatLinksController],
  providers: [ChatLinksService],
  exports: [ChatLinksService],
})
export class ChatLinksModule {}
