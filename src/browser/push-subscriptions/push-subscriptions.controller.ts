import { Body, Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { ApiNoContentResponse, ApiTags } from '@nestjs/swagger';
import { ApiData, ApiErrors, type CallingSubscriber, ForSubscribers, Subscriber, Tenant } from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import { CreatePushSubscriptionDto, DeviceTokenDto, RemovePushSubscriptionDto } from './push-subscription.dto.js';
import { DeviceTokenResponse, PushKeyResponse, PushSubscriptionResponse } from './push-subscription.response.js';
import { PushSubscriptionsService } from './push-subscriptions.service.js';
import { NoActiveIntegration } from '../../audience/subscribers/index.js';

/** Where a subscriber gets push messages: browsers, by Web Push, and devices. */
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

  /**
   * Registers the device of an application for push messages.
   * @remarks Repeating the call changes nothing. A subscriber has at most 20 devices of a provider: a new one replaces the oldest.
   */
  @Post('device-tokens')
  @ApiData(201, DeviceTokenResponse)
  @ApiErrors(NoActiveIntegration)
  registerDeviceToken(
    @Tenant() tenant: TenantContext,
    @Subscriber() subscriber: CallingSubscriber,
    @Body() dto: DeviceTokenDto,
  ): Promise<DeviceTokenResponse> {
    return this.subscriptions.addDevice(tenant, subscriber, dto);
  }

  /**
   * Removes the device of an application, for example when its user signs out.
   * @remarks It is not an error if there is none.
   */
  @Delete('device-tokens')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Removed' })
  removeDeviceToken(
    @Tenant() tenant: TenantContext,
    @Subscriber() { subscriberId }: CallingSubscriber,
    @Body() dto: DeviceTokenDto,
  ): Promise<void> {
    return this.subscriptions.removeDevice(tenant, subscriberId, dto);
  }
}
