import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { FeedQuery, MarkMessagesDto, UnseenQuery } from './message.dto.js';
import { type FeedMessage, MessagesService } from './messages.service.js';
import type { Page } from './page.js';
import type { Message } from './schemas/message.schema.js';
import { type Owner, Tenant } from './tenant.decorator.js';

@Controller('subscribers/:subscriberId')
export class MessagesController {
  constructor(private readonly messages: MessagesService) {}

  @Get('notifications/feed')
  feed(
    @Tenant() owner: Owner,
    @Param('subscriberId') subscriberId: string,
    @Query() query: FeedQuery,
  ): Promise<Page<FeedMessage>> {
    return this.messages.feed(owner, subscriberId, query);
  }

  @Get('notifications/unseen')
  unseen(
    @Tenant() owner: Owner,
    @Param('subscriberId') subscriberId: string,
    @Query() query: UnseenQuery,
  ): Promise<{ count: number }> {
    return this.messages.countUnseen(owner, subscriberId, query);
  }

  @Post('messages/mark-as')
  mark(
    @Tenant() owner: Owner,
    @Param('subscriberId') subscriberId: string,
    @Body() dto: MarkMessagesDto,
  ): Promise<Message[]> {
    return this.messages.mark(owner, subscriberId, dto);
  }
}
