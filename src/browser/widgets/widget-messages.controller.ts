import { Body, Controller, Delete, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiTags } from '@nestjs/swagger';
import {
  ApiData,
  ApiDataArray,
  ApiDataValue,
  ApiErrors,
  type CallingSubscriber,
  ForSubscribers,
  IdParam,
  Subscriber,
  Tenant,
} from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import {
  ActionTypeParams,
  ActOnMessageDto,
  LegacyMarkMessagesDto,
  MarkMessagesDto,
  MarksService,
  MessageActionsService,
  MessageNotOfSubscriber,
  MessageRemovalsService,
  QuestionAlreadyAnswered,
  QuestionEnded,
} from '../../engine/messages/marks/index.js';
import { forBrowser, forBrowsers, MessageResponse } from '../../engine/messages/views/index.js';
import { MarkFeedsDto, RemoveAllMessagesQuery, RemoveMessagesDto } from './widget.dto.js';

/** Marks, buttons and removal of the subscriber's own messages. Answers are whole messages, which replace cached ones. */
@ApiTags('Browser clients')
@Controller({ path: 'widgets/messages', version: '1' })
@ForSubscribers()
export class WidgetMessagesController {
  constructor(
    private readonly marks: MarksService,
    private readonly actions: MessageActionsService,
    private readonly removals: MessageRemovalsService,
  ) {}

  /** Sets the marks of messages, and returns the messages. */
  @Post('markAs')
  @ApiDataArray(201, MessageResponse)
  async setWidgetMarks(
    @Tenant() tenant: TenantContext,
    @Subscriber() { subscriberId }: CallingSubscriber,
    @Body() dto: LegacyMarkMessagesDto,
  ): Promise<MessageResponse[]> {
    return forBrowsers(await this.marks.markLegacy(tenant, subscriberId, dto));
  }

  /** Marks messages as seen, read, unseen or unread, and returns them. */
  @Post('mark-as')
  @ApiDataArray(201, MessageResponse)
  async markWidgetMessages(
    @Tenant() tenant: TenantContext,
    @Subscriber() { subscriberId }: CallingSubscriber,
    @Body() dto: MarkMessagesDto,
  ): Promise<MessageResponse[]> {
    return forBrowsers(await this.marks.mark(tenant, subscriberId, dto));
  }

  /** Marks all messages as read, or those of some feeds, and returns how many changed. */
  @Post('read')
  @ApiDataValue(201, { type: 'integer', example: 5 })
  readAllWidgetMessages(
    @Tenant() tenant: TenantContext,
    @Subscriber() { subscriberId }: CallingSubscriber,
    @Body() { feedId }: MarkFeedsDto,
  ): Promise<number> {
    return this.marks.markAll(tenant, subscriberId, { markAs: 'read', feedIdentifier: feedId });
  }

  /** Marks all messages as seen, or those of some feeds, and returns how many changed. */
  @Post('seen')
  @ApiDataValue(201, { type: 'integer', example: 5 })
  seeAllWidgetMessages(
    @Tenant() tenant: TenantContext,
    @Subscriber() { subscriberId }: CallingSubscriber,
    @Body() { feedId }: MarkFeedsDto,
  ): Promise<number> {
    return this.marks.markAll(tenant, subscriberId, { markAs: 'seen', feedIdentifier: feedId });
  }

  /** Records the use of a message button, and returns the message. */
  @Post(':messageId/actions/:type')
  @ApiData(201, MessageResponse)
  @ApiErrors(MessageNotOfSubscriber, QuestionEnded, QuestionAlreadyAnswered)
  async actOnWidgetMessage(
    @Tenant() tenant: TenantContext,
    @Subscriber() { subscriberId }: CallingSubscriber,
    @IdParam('messageId') messageId: string,
    @Param() { type }: ActionTypeParams,
    @Body() dto: ActOnMessageDto,
  ): Promise<MessageResponse> {
    return forBrowser(await this.actions.actAsSubscriber(tenant, { subscriberId, messageId }, type, dto));
  }

  /**
   * Removes messages of the subscriber.
   * @remarks Returns how many were removed. Unknown ids are ignored.
   */
  @Post('bulk/delete')
  @HttpCode(200)
  @ApiDataValue(200, { type: 'integer', example: 5 })
  removeWidgetMessages(
    @Tenant() tenant: TenantContext,
    @Subscriber() { subscriberId }: CallingSubscriber,
    @Body() { messageIds }: RemoveMessagesDto,
  ): Promise<number> {
    return this.removals.removeMany(tenant, subscriberId, messageIds);
  }

  /** Removes all messages of the subscriber, or those of one feed. */
  @Delete()
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Removed' })
  async removeAllWidgetMessages(
    @Tenant() tenant: TenantContext,
    @Subscriber() { subscriberId }: CallingSubscriber,
    @Query() { feedId }: RemoveAllMessagesQuery,
  ): Promise<void> {
    await this.removals.removeAll(tenant, subscriberId, feedId);
  }

  /** Removes a message of the subscriber, and returns it. */
  @Delete(':messageId')
  @ApiData(200, MessageResponse)
  @ApiErrors(MessageNotOfSubscriber)
  async removeWidgetMessage(
    @Tenant() tenant: TenantContext,
    @Subscriber() { subscriberId }: CallingSubscriber,
    @IdParam('messageId') messageId: string,
  ): Promise<MessageResponse> {
    return forBrowser(await this.removals.remove(tenant, subscriberId, messageId));
  }
}
