import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuthModule } from '../auth/index.js';
import { EnvironmentsModule } from '../environments/index.js';
import { IntegrationsModule } from '../integrations/index.js';
import { SubscribersModule } from '../subscribers/index.js';
import { SessionLimits } from './session-limits.js';
import { SessionTokens } from './session-tokens.js';
import { SessionEnds } from './session-ends.js';
import { SessionEndsController } from './session-ends.controller.js';
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
  controllers: [SubscriberSessionsController, SessionEndsController],
  providers: [SubscriberSessionsService, SessionTokens, SessionLimits, SessionEnds, StreamTickets],
  exports: [SubscriberSessionsService, SessionLimits, StreamTickets],
})
export class SubscriberSessionsModule {}
