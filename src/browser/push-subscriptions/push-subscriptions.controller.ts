import { Body, Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { ApiNoContentResponse, ApiTags } from '@nestjs/swagger';
import { ApiData, ApiErrors, type CallingSubscriber, ForSubscribers, Subscriber, Tenant } from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import { CreatePushSubscriptionDto, RemovePushSubscriptionDto } from './push-subscription.dto.js';
import { PushKeyResponse, PushSubscriptionResponse } from './push-subscription.response.js';
import { PushSubscriptionsService } from './push-subscriptions.service.js';
import { NoActiveIntegration } from '../../audience/subscribers/index.js';

/** Web Push: the browsers of a subscriber. */
@ApiTags('Browser clients')
@Controller({ path: 'inbox', version: '1' })
@ForSubscribers()
export class PushSubscriptionsController {
  constructor(private readonly subscriptions: PushSubscriptionsService) {}

  /** Gets the key with which a browser subscribes to push messages. */
  @Get('push-key')
  @ApiData(200, PushKeyResponse)
  @ApiErrors(NoActiveIntegration)
  getPushKey(@Tenant() tenant: TenantContext): Promise<PushKeyResponse> {
    return this.subscriptions.key(tenant);
  }

  /**
   * Registers the push subscription of a browser.
   * @remarks Repeating the call changes nothing. A subscriber has at most 20 browsers: a new one replaces the oldest.
   */
  @Post('push-subscriptions')
  @ApiData(201, PushSubscriptionResponse)
  @ApiErrors(NoActiveIntegration)
  registerPushSubscription(
    @Tenant() tenant: TenantContext,
    @Subscriber() subscriber: CallingSubscriber,
    @Body() dto: CreatePushSubscriptionDto,
  ): Promise<PushSubscriptionResponse> {
    return this.subscriptions.create(tenant, subscriber, dto);
  }

  /**
   * Removes the push subscription of a browser.
   * @remarks It is not an error if there is none.
   */
  @Delete('push-subscriptions')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Removed' })
  removePushSubscription(
    @Tenant() tenant: TenantContext,
    @Subscriber() { subscriberId }: CallingSubscriber,
    @Body() { endpoint }: RemovePushSubscriptionDto,
  ): Promise<void> {
    return this.subscriptions.remove(tenant, subscriberId, endpoint);
  }
}
