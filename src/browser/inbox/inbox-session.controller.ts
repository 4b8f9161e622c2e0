import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AppConfig } from '#libs/config';
import { ApiData, ApiErrors, Public } from '#libs/http-kit';
import { InboxMessagesService } from '../../engine/messages/inbox/index.js';
import {
  CreatesSessions,
  HmacInvalid,
  InAppInactive,
  MAX_SESSION_BYTES,
  SubscriberSessionsService,
  TooManySessions,
  UnknownApplication,
} from '../subscriber-sessions/index.js';
import { CreateInboxSessionDto } from './inbox-session.dto.js';
import { InboxSessionResponse, showInboxSession } from './inbox-session.response.js';

@ApiTags('Browser clients')
@Controller({ path: 'inbox/session', version: '1' })
export class InboxSessionController {
  constructor(
    private readonly sessions: SubscriberSessionsService,
    private readonly messages: InboxMessagesService,
    private readonly config: AppConfig,
  ) {}

  /**
   * Creates a session of a subscriber for the Inbox.
   * @remarks Called by the Inbox in a browser. The token gives access to the inbox and widget routes as this subscriber,
   * and to nothing else.
   */
  @Post()
  @Public({ maxBodyBytes: MAX_SESSION_BYTES })
  @CreatesSessions()
  @ApiData(201, InboxSessionResponse)
  @ApiErrors(HmacInvalid, UnknownApplication, InAppInactive, TooManySessions)
  async createInboxSession(@Body() dto: CreateInboxSessionDto): Promise<InboxSessionResponse> {
    const { applicationIdentifier, subscriberHash: hmac, subscriberId } = dto;
    const subscriber = dto.subscriber ?? { subscriberId: subscriberId ?? '' };
    const session = await this.sessions.open({ applicationIdentifier, subscriber, hmac });
    const unread = await this.messages.unreadCounts(session, { id: session.subscriber._id });
    return showInboxSession(session.token, unread, this.config.get('SNOOZE_MAX_HOURS'));
  }
}
