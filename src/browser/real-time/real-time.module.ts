import { Module } from '@nestjs/common';
import { MessagesModule } from '../../engine/messages/index.js';
import { SubscriberSessionsModule } from '../subscriber-sessions/index.js';
import { SubscribersModule } from '../../audience/subscribers/index.js';
import { Audience } from './audience.js';
import { LiveFeeds } from './live-feeds.js';
import { Presence } from './presence.js';
import { ProcessLink } from './process-link.js';
import { SessionWatch } from './session-watch.js';
import { Sockets } from './sockets.js';
import { StreamController } from './stream.controller.js';
import { StreamTicketsController } from './stream-tickets.controller.js';
import { Streams } from './streams.js';

@Module({ imports: [MessagesModule], providers: [ProcessLink], exports: [ProcessLink] })
export class ProcessLinkModule {}

@Module({
  imports: [MessagesModule, ProcessLinkModule, SubscribersModule, SubscriberSessionsModule],
  controllers: [StreamController, StreamTicketsController],
  providers: [Audience, LiveFeeds, Presence, SessionWatch, Sockets, Streams],
})
export class RealTimeModule {}
