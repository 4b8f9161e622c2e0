import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { EnvironmentsModule } from '../environments/index.js';
import { IntegrationsModule } from '../integrations/index.js';
import { SubscribersModule } from '../subscribers/index.js';
import { SessionLimitStage } from './session-limit.stage.js';
import { SessionTokenStage } from './session-token.stage.js';
import { SessionTokens } from './session-tokens.js';
import { SubscriberSessionsController } from './subscriber-sessions.controller.js';
import { SubscriberSessionsService } from './subscriber-sessions.service.js';

@Module({
  imports: [AuthModule, EnvironmentsModule, IntegrationsModule, SubscribersModule],
  controllers: [SubscriberSessionsController],
  providers: [SubscriberSessionsService, SessionTokens, SessionTokenStage, SessionLimitStage],
  exports: [SubscriberSessionsService],
})
export class SubscriberSessionsModule {}
