import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  ApiData,
  ApiDataArray,
  ApiDataValue,
  ApiErrors,
  ApiPage,
  IdParam,
  NotAudited,
  type Page,
  Tenant,
} from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import {
  ActionTypeParams,
  ActOnMessageDto,
  CountUnseenQuery,
  LegacyMarkMessagesDto,
  ListFeedQuery,
  MarkAllMessagesDto,
  MarkMessagesDto,
} from './marks/message.dto.js';
import {
  FeedMessageResponse,
  MessageCountResponse,
  MessageResponse,
  MessageWithOriginsResponse,
} from './views/message.response.js';
import { SubscriberFeedService } from './inbox/subscriber-feed.service.js';
import { MarksService } from './marks/marks.service.js';
import { MessageActionsService } from './marks/message-actions.service.js';
import { SubscriberNotFound } from '../../audience/subscribers/index.js';
import { MessageNotOfSubscriber } from './marks/messages.errors.js';
import { QuestionAlreadyAnswered, QuestionEnded } from './marks/question.errors.js';

/** The messages of one subscriber. */
@ApiTags('Messages of a subscriber')
@ApiErrors(SubscriberNotFound)
@Controller({ path: 'subscribers/:subscriberId', version: '1' })
@NotAudited('what a person did with messages')
export class SubscriberMessagesController {
  constructor(
    private readonly feed: SubscriberFeedService,
    private readonly marks: MarksService,
    private readonly actions: MessageActionsService,
  ) {}

  /**
   * Lists the feed of a subscriber, newest first.
   * @remarks In-app messages, with their subscriber and workflow. The content is what templates and payload made, as HTML
   * that is not sanitized: sanitize it before a page shows it. The routes of the inbox do that for browsers.
   */
  @Get('notifications/feed')
  @ApiPage(FeedMessageResponse, { total: true })
  getFeed(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @Query() query: ListFeedQuery,
  ): Promise<Page<FeedMessageResponse>> {
    return this.feed.list(tenant, subscriberId, query);
  }

  /** Counts the unseen in-app messages of a subscriber. */
  @Get('notifications/unseen')
  @ApiData(200, MessageCountResponse)
  countUnseen(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @Query() query: CountUnseenQuery,
  ): Promise<MessageCountResponse> {
    return this.feed.countUnseen(tenant, subscriberId, query);
  }

  /**
   * Marks messages as seen, read, unseen or unread.
   * @remarks Returns the messages.
   */
  @Post('messages/mark-as')
  @ApiDataArray(201, MessageResponse)
  markMessages(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @Body() dto: MarkMessagesDto,
  ): Promise<MessageResponse[]> {
    return this.marks.mark(tenant, subscriberId, dto);
  }

  /**
   * Marks messages (older form).
   * @remarks Use POST /v1/subscribers/{subscriberId}/messages/mark-as instead.
   */
  @Post('messages/markAs')
  @ApiOperation({ deprecated: true })
  @ApiDataArray(201, MessageResponse)
  markMessagesLegacy(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @Body() dto: LegacyMarkMessagesDto,
  ): Promise<MessageResponse[]> {
    return this.marks.markLegacy(tenant, subscriberId, dto);
  }

  /**
   * Marks all messages of a feed.
   * @remarks Returns the number of changed messages.
   */
  @Post('messages/mark-all')
  @ApiDataValue(201, { type: 'integer', example: 5 })
  markAllMessages(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @Body() dto: MarkAllMessagesDto,
  ): Promise<number> {
    return this.marks.markAll(tenant, subscriberId, dto);
  }

  /**
   * Records the use of a message button.
   * @remarks Stores which button was used and returns the message, its subscriber and its workflow. Repeating the call
   * changes nothing. Webhooks that subscribe to `message.action` are called.
   */
  @Post('messages/:messageId/actions/:type')
  @ApiData(201, MessageWithOriginsResponse)
  @ApiErrors(MessageNotOfSubscriber, QuestionEnded, QuestionAlreadyAnswered)
  actOnMessage(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @IdParam('messageId') messageId: string,
    @Param() { type }: ActionTypeParams,
    @Body() dto: ActOnMessageDto,
  ): Promise<MessageWithOriginsResponse> {
    return this.actions.act(tenant, { subscriberId, messageId }, type, dto);
  }
}
