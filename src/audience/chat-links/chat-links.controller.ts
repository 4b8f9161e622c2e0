import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiData, ApiErrors, Tenant } from '#libs/http-kit';
import { AuditedSubscriber } from '../subscribers/index.js';
import type { TenantContext } from '#libs/common';
import { NoActiveIntegration, SubscriberNotFound } from '../subscribers/index.js';
import { CreateChatLinkDto } from './chat-link.dto.js';
import { ChatLinkResponse } from './chat-link.response.js';
import { ChatLinkNotMade, ChatLinksNotReceived } from './chat-links.errors.js';
import { ChatLinksService } from './chat-links.service.js';

@ApiTags('Subscribers')
@Controller({ path: 'subscribers', version: '1' })
@AuditedSubscriber({ keys: 'traffic' })
export class ChatLinksController {
  constructor(private readonly links: ChatLinksService) {}

  /**
   * Creates a link with which a subscriber connects a chat.
   * @remarks For Telegram: the person opens the link and presses Start, and the chat becomes the `channel` of the
   * subscriber. The link is valid for an hour. The bot's webhook must be set to the provider callbacks of Herald.
   */
  @Post(':subscriberId/chat-links')
  @ApiData(201, ChatLinkResponse)
  @ApiErrors(SubscriberNotFound, NoActiveIntegration, ChatLinksNotReceived, ChatLinkNotMade)
  createChatLink(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @Body() dto: CreateChatLinkDto,
  ): Promise<ChatLinkResponse> {
    return this.links.create(tenant, subscriberId, dto);
  }
}
