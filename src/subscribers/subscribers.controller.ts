import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiTags } from '@nestjs/swagger';
import { ApiData, ApiErrors, ApiPage, Page, Tenant } from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import {
  AddressStateParams,
  BulkCreateSubscribersDto,
  ChannelCredentialsDto,
  CreateSubscriberDto,
  ListSubscribersQuery,
  OnlineStatusDto,
  UpdateSubscriberDto,
} from './subscriber.dto.js';
import { BulkResultResponse, DeleteSubscriberResponse, SubscriberResponse } from './subscriber.response.js';
import { SubscribersService } from './subscribers.service.js';

@ApiTags('Subscribers')
@Controller({ path: 'subscribers', version: '1' })
export class SubscribersController {
  constructor(private readonly subscribers: SubscribersService) {}

  /**
   * Creates a subscriber, or updates the one that has the same subscriberId.
   * @remarks Triggers create subscribers as well. Fields that are absent stay; null removes a value.
   */
  @Post()
  @ApiData(201, SubscriberResponse)
  @ApiErrors(400)
  createSubscriber(@Tenant() tenant: TenantContext, @Body() dto: CreateSubscriberDto): Promise<SubscriberResponse> {
    return this.subscribers.create(tenant, dto);
  }

  /**
   * Creates or updates up to 500 subscribers.
   * @remarks Up to 500 in one call. One that is refused does not stop the others.
   */
  @Post('bulk')
  @ApiData(201, BulkResultResponse)
  @ApiErrors(400)
  bulkCreateSubscribers(
    @Tenant() tenant: TenantContext,
    @Body() { subscribers }: BulkCreateSubscribersDto,
  ): Promise<BulkResultResponse> {
    return this.subscribers.createMany(tenant, subscribers);
  }

  /**
   * Lists subscribers, newest first.
   * @remarks Several filters together narrow the result.
   */
  @Get()
  @ApiPage(SubscriberResponse)
  @ApiErrors(400)
  listSubscribers(
    @Tenant() tenant: TenantContext,
    @Query() query: ListSubscribersQuery,
  ): Promise<Page<SubscriberResponse>> {
    return this.subscribers.list(tenant, query);
  }

  /** Gets a subscriber. */
  @Get(':subscriberId')
  @ApiData(200, SubscriberResponse)
  @ApiErrors(404)
  getSubscriber(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
  ): Promise<SubscriberResponse> {
    return this.subscribers.get(tenant, subscriberId);
  }

  /**
   * Updates a subscriber.
   * @remarks What is absent stays; null removes a value.
   */
  @Put(':subscriberId')
  @ApiData(200, SubscriberResponse)
  @ApiErrors(400, 404)
  updateSubscriber(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @Body() dto: UpdateSubscriberDto,
  ): Promise<SubscriberResponse> {
    return this.subscribers.update(tenant, subscriberId, dto);
  }

  /** Deletes a subscriber. */
  @Delete(':subscriberId')
  @ApiData(200, DeleteSubscriberResponse)
  @ApiErrors(404)
  deleteSubscriber(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
  ): Promise<DeleteSubscriberResponse> {
    return this.subscribers.remove(tenant, subscriberId);
  }

  /**
   * Sets the credentials of a subscriber for a chat or push provider.
   * @remarks Needs an active integration of the provider. Keys that are given replace those that are stored, device
   * tokens included; other keys stay.
   */
  @Put(':subscriberId/credentials')
  @ApiData(200, SubscriberResponse)
  @ApiErrors(400, 404)
  setSubscriberCredentials(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @Body() dto: ChannelCredentialsDto,
  ): Promise<SubscriberResponse> {
    return this.subscribers.setCredentials(tenant, subscriberId, dto, 'replace');
  }

  /**
   * Adds to the credentials of a subscriber for a chat or push provider.
   * @remarks Needs an active integration of the provider. Device tokens are added to those that are stored; other keys
   * that are given replace theirs.
   */
  @Patch(':subscriberId/credentials')
  @ApiData(200, SubscriberResponse)
  @ApiErrors(400, 404)
  addSubscriberCredentials(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @Body() dto: ChannelCredentialsDto,
  ): Promise<SubscriberResponse> {
    return this.subscribers.setCredentials(tenant, subscriberId, dto, 'append');
  }

  /** Removes the credentials of a subscriber for a provider. */
  @Delete(':subscriberId/credentials/:providerId')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'The subscriber has no credentials of the provider any more' })
  @ApiErrors(404)
  deleteSubscriberCredentials(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @Param('providerId') providerId: string,
  ): Promise<void> {
    return this.subscribers.removeCredentials(tenant, subscriberId, providerId);
  }

  /** Sets whether a subscriber is online. */
  @Patch(':subscriberId/online-status')
  @ApiData(200, SubscriberResponse)
  @ApiErrors(400, 404)
  setSubscriberOnlineStatus(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @Body() dto: OnlineStatusDto,
  ): Promise<SubscriberResponse> {
    return this.subscribers.setOnline(tenant, subscriberId, dto);
  }

  /**
   * Allows an address to be used again after a hard bounce.
   * @remarks An address that a provider reported as invalid is not used again until this call, or until it changes.
   */
  @Delete(':subscriberId/address-states/:channel')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'The address is used again' })
  @ApiErrors(400, 404)
  clearSubscriberAddressState(
    @Tenant() tenant: TenantContext,
    @Param() { subscriberId, channel }: AddressStateParams,
  ): Promise<void> {
    return this.subscribers.clearAddressState(tenant, subscriberId, channel);
  }
}
