import { Body, Controller, Delete, HttpCode, Param, Patch } from '@nestjs/common';
import { ApiNoContentResponse, ApiTags } from '@nestjs/swagger';
import {
  ApiData,
  ApiErrors,
  type CallingSubscriber,
  ForSubscribers,
  IdParam,
  Subscriber,
  Tenant,
} from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import { InboxMessagesService } from '../../engine/messages/inbox/index.js';
import { MessageNotOfSubscriber, QuestionAlreadyAnswered, QuestionEnded } from '../../engine/messages/marks/index.js';
import { ButtonDto, NotificationChangeParams, SnoozeDto } from './inbox-notification.dto.js';
import { InboxNotificationResponse } from './inbox-notification.response.js';
import { InboxNotificationsService } from './inbox-notifications.service.js';
import { ButtonNotFound, SnoozeOff, SnoozeRefused } from './inbox.errors.js';

/** One notification of the calling subscriber. */
@ApiTags('Browser clients')
@ApiErrors(MessageNotOfSubscriber)
@Controller({ path: 'inbox/notifications/:messageId', version: '1' })
@ForSubscribers()
export class InboxNotificationController {
  constructor(
    private readonly notifications: InboxNotificationsService,
    private readonly messages: InboxMessagesService,
  ) {}

  /**
   * Snoozes a notification.
   * @remarks It is hidden until then and appears again as unseen and unread.
   */
  @Patch('snooze')
  @ApiData(200, InboxNotificationResponse)
  @ApiErrors(SnoozeRefused, SnoozeOff)
  snoozeInboxNotification(
    @Tenant() tenant: TenantContext,
    @Subscriber() subscriber: CallingSubscriber,
    @IdParam('messageId') id: string,
    @Body() { snoozeUntil }: SnoozeDto,
  ): Promise<InboxNotificationResponse> {
    return this.notifications.snooze(tenant, subscriber, id, new Date(snoozeUntil));
  }

  /** Records the use of a button. */
  @Patch('complete')
  @ApiData(200, InboxNotificationResponse)
  @ApiErrors(ButtonNotFound, QuestionEnded, QuestionAlreadyAnswered)
  completeInboxAction(
    @Tenant() tenant: TenantContext,
    @Subscriber() subscriber: CallingSubscriber,
    @IdParam('messageId') id: string,
    @Body() { actionType }: ButtonDto,
  ): Promise<InboxNotificationResponse> {
    return this.notifications.act(tenant, subscriber, id, actionType, 'done');
  }

  /** Takes the use of a button back. */
  @Patch('revert')
  @ApiData(200, InboxNotificationResponse)
  @ApiErrors(ButtonNotFound, QuestionEnded, QuestionAlreadyAnswered)
  revertInboxAction(
    @Tenant() tenant: TenantContext,
    @Subscriber() subscriber: CallingSubscriber,
    @IdParam('messageId') id: string,
    @Body() { actionType }: ButtonDto,
  ): Promise<InboxNotificationResponse> {
    return this.notifications.act(tenant, subscriber, id, actionType, 'pending');
  }

  /**
   * Marks a notification as read or unread, archives it or brings it back.
   * @remarks `unread` and `unarchive` bring an archived notification back, `unsnooze` a snoozed one, which is then unread.
   */
  @Patch(':change')
  @ApiData(200, InboxNotificationResponse)
  changeInboxNotification(
    @Tenant() tenant: TenantContext,
    @Subscriber() subscriber: CallingSubscriber,
    @IdParam('messageId') id: string,
    @Param() { change }: NotificationChangeParams,
  ): Promise<InboxNotificationResponse> {
    return this.notifications.change(tenant, subscriber, id, change);
  }

  /** Deletes a notification. */
  @Delete('delete')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Deleted' })
  deleteInboxNotification(
    @Tenant() tenant: TenantContext,
    @Subscriber() subscriber: CallingSubscriber,
    @IdParam('messageId') id: string,
  ): Promise<void> {
    return this.messages.remove(tenant, subscriber, id);
  }
}
