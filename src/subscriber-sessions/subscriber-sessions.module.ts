import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { EnvironmentsModule } from '../environments/index.js';
import { IntegrationsModule } from '../integrations/index.js';
import { SubscribersModule } from '../subscribers/index.js';
import { SessionLimits } from './session-limits.js';
import { SessionTokens } from './session-tokens.js';
import { SubscriberSessionsController } from './subscriber-sessions.controller.js';
import { SubscriberSessionsService } from './subscriber-sessions.service.js';

@Module({
  imports: [AuthModule, EnvironmentsModule, IntegrationsModule, SubscribersModule],
  controllers: [SubscriberSessionsController],
  providers: [SubscriberSessionsService, SessionTokens, SessionLimits],
  exports: [SubscriberSessionsService, SessionLimits],
})
export class SubscriberSessionsModule {}
