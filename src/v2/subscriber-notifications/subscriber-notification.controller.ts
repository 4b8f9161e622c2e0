import { Body, Controller, Delete, HttpCode, Param, Patch } from '@nestjs/common';
import { ApiNoContentResponse, ApiTags } from '@nestjs/swagger';
import { ApiData, ApiErrors, IdParam, NotAudited, Tenant } from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import { SubscriberNotFound } from '../../audience/subscribers/index.js';
import {
  ButtonDto,
  ButtonNotFound,
  InboxNotificationResponse,
  InboxNotificationsService,
  NotificationChangeParams,
  SnoozeDto,
  SnoozeOff,
  SnoozeRefused,
} from '../../browser/inbox/index.js';
import { InboxMessagesService } from '../../engine/messages/inbox/index.js';
import { MessageNotOfSubscriber, QuestionAlreadyAnswered, QuestionEnded } from '../../engine/messages/marks/index.js';
import { NotificationOwners } from './notification-owners.js';

/** One notification of a subscriber. */
@ApiTags('v2')
@ApiErrors(SubscriberNotFound, MessageNotOfSubscriber)
@Controller({ path: 'subscribers/:subscriberId/notifications/:messageId', version: '2' })
@NotAudited('what a person did with messages')
export class SubscriberNotificationController {
  constructor(
    private readonly owners: NotificationOwners,
    private readonly notifications: InboxNotificationsService,
    private readonly messages: InboxMessagesService,
  ) {}

  /**
   * Snoozes a notification of a subscriber.
   * @remarks It is hidden until then and appears again as unseen and unread.
   */
  @Patch('snooze')
  @ApiData(200, InboxNotificationResponse)
  @ApiErrors(SnoozeRefused, SnoozeOff)
  async snoozeNotificationV2(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @IdParam('messageId') id: string,
    @Body() { snoozeUntil }: SnoozeDto,
  ): Promise<InboxNotificationResponse> {
    const owner = await this.owners.of(tenant, subscriberId);
    return this.notifications.snooze(tenant, owner, id, new Date(snoozeUntil));
  }

  /** Records the use of a button of a notification. */
  @Patch('actions/:actionType/complete')
  @ApiData(200, InboxNotificationResponse)
  @ApiErrors(ButtonNotFound, QuestionEnded, QuestionAlreadyAnswered)
  async completeActionV2(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @IdParam('messageId') id: string,
    @Param() { actionType }: ButtonDto,
  ): Promise<InboxNotificationResponse> {
    const owner = await this.owners.of(tenant, subscriberId);
    return this.notifications.act(tenant, owner, id, actionType, 'done');
  }

  /** Takes the use of a button of a notification back. */
  @Patch('actions/:actionType/revert')
  @ApiData(200, InboxNotificationResponse)
  @ApiErrors(ButtonNotFound, QuestionEnded, QuestionAlreadyAnswered)
  async revertActionV2(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @IdParam('messageId') id: string,
    @Param() { actionType }: ButtonDto,
  ): Promise<InboxNotificationResponse> {
    const owner = await this.owners.of(tenant, subscriberId);
    return this.notifications.act(tenant, owner, id, actionType, 'pending');
  }

  /**
   * Marks a notification of a subscriber as read or unread, archives it or brings it back.
   * @remarks `unread` and `unarchive` bring an archived notification back, `unsnooze` a snoozed one, which is then unread.
   */
  @Patch(':change')
  @ApiData(200, InboxNotificationResponse)
  async changeNotificationV2(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @IdParam('messageId') id: string,
    @Param() { change }: NotificationChangeParams,
  ): Promise<InboxNotificationResponse> {
    return this.notifications.change(tenant, await this.owners.of(tenant, subscriberId), id, change);
  }

  /** Deletes a notification of a subscriber. */
  @Delete()
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Deleted' })
  async deleteNotificationV2(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @IdParam('messageId') id: string,
  ): Promise<void> {
    await this.messages.remove(tenant, await this.owners.of(tenant, subscriberId), id);
  }
}
