import { Controller, Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiTags } from '@nestjs/swagger';
import { ApiData, ApiErrors, ApiPage, Audited, IdParam, type Page, Tenant } from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import { DeleteTransactionQuery, ListMessagesQuery } from './marks/message.dto.js';
import { DeletedMessageResponse, ListedMessageResponse } from './views/message.response.js';
import { MessagesService } from './messages.service.js';
import { SubscriberNotFound } from '../../audience/subscribers/index.js';
import { MessageNotFound, NoMessageOfTransaction } from './marks/messages.errors.js';

@ApiTags('Messages')
@Controller({ path: 'messages', version: '1' })
@Audited('message', { keys: 'never' })
export class MessagesController {
  constructor(private readonly messages: MessagesService) {}

  /**
   * Lists messages, newest first.
   * @remarks The content of in-app messages is what templates and payload made, as HTML that is not sanitized: sanitize it
   * before a page shows it. The routes of the inbox do that for browsers.
   */
  @Get()
  @ApiPage(ListedMessageResponse)
  @ApiErrors(SubscriberNotFound)
  listMessages(
    @Tenant() tenant: TenantContext,
    @Query() query: ListMessagesQuery,
  ): Promise<Page<ListedMessageResponse>> {
    return this.messages.list(tenant, query);
  }

  /**
   * Deletes the messages of a transaction.
   * @remarks Deletes all of them, or those of one channel.
   */
  @Delete('transaction/:transactionId')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Deleted' })
  @ApiErrors(NoMessageOfTransaction)
  deleteMessagesOfTransaction(
    @Tenant() tenant: TenantContext,
    @Param('transactionId') transactionId: string,
    @Query() query: DeleteTransactionQuery,
  ): Promise<void> {
    return this.messages.removeByTransaction(tenant, transactionId, query.channel);
  }

  /** Deletes a message. */
  @Delete(':messageId')
  @ApiData(200, DeletedMessageResponse)
  @ApiErrors(MessageNotFound)
  deleteMessage(
    @Tenant() tenant: TenantContext,
    @IdParam('messageId') messageId: string,
  ): Promise<DeletedMessageResponse> {
    return this.messages.remove(tenant, messageId);
  }
}
