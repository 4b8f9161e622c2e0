import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuthModule } from '../../platform/auth/index.js';
import { EnvironmentsModule } from '../../platform/environments/index.js';
import { IntegrationsModule } from '../../channels/integrations/index.js';
import { SubscribersModule } from '../../audience/subscribers/index.js';
import { SessionLimits } from './session-limits.js';
import { SessionTokens } from './session-tokens.js';
import { SessionEnds } from './session-ends.js';
import { EnvironmentSessionEndsController, SubscriberSessionEndsController } from './session-ends.controller.js';
import { STREAM_TICKET_MODEL, StreamTickets, StreamTicketSchema } from './stream-tickets.js';
import { SubscriberSessionsController } from './subscriber-sessions.controller.js';
import { SubscriberSessionsService } from './subscriber-sessions.service.js';

@Module({
  imports: [
    AuthModule,
    EnvironmentsModule,
    IntegrationsModule,
    SubscribersModule,
    MongooseModule.forFeature([{ name: STREAM_TICKET_MODEL, schema: StreamTicketSchema }]),
  ],
  controllers: [SubscriberSessionsController, SubscriberSessionEndsController, EnvironmentSessionEndsController],
  providers: [SubscriberSessionsService, SessionTokens, SessionLimits, SessionEnds, StreamTickets],
  exports: [SubscriberSessionsService, SessionLimits, StreamTickets],
})
export class SubscriberSessionsModule {}
