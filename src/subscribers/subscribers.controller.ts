import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiTags } from '@nestjs/swagger';
import { ApiData, ApiErrors, ApiPage, Page, Tenant } from '#libs/http-kit';
import type { TenantContext } from '#libs/tenancy';
import { AddressStateParams } from './dto/address-state.param.dto.js';
import { BulkCreateSubscribersDto } from './dto/bulk-create-subscribers.dto.js';
import { BulkResultResponse } from './dto/bulk-result.response.js';
import { ChannelCredentialsDto } from './dto/channel-credentials.dto.js';
import { CreateSubscriberDto } from './dto/create-subscriber.dto.js';
import { DeleteSubscriberResponse } from './dto/delete-subscriber.response.js';
import { ListSubscribersQuery } from './dto/list-subscribers.query.dto.js';
import { OnlineStatusDto } from './dto/online-status.dto.js';
import { SubscriberResponse } from './dto/subscriber.response.js';
import { UpdateSubscriberDto } from './dto/update-subscriber.dto.js';
import { SubscribersService } from './subscribers.service.js';

@ApiTags('Subscribers')
@Controller({ path: 'subscribers', version: '1' })
export class SubscribersController {
  constructor(private readonly subscribers: SubscribersService) {}

  /** Creates a subscriber, or updates the one that has the same subscriberId. */
  @Post()
  @ApiData(201, SubscriberResponse)
  @ApiErrors(400)
  createSubscriber(@Tenant() tenant: TenantContext, @Body() dto: CreateSubscriberDto): Promise<SubscriberResponse> {
    return this.subscribers.create(tenant, dto);
  }

  /** Creates or updates up to 500 subscribers. */
  @Post('bulk')
  @ApiData(201, BulkResultResponse)
  @ApiErrors(400)
  bulkCreateSubscribers(
    @Tenant() tenant: TenantContext,
    @Body() { subscribers }: BulkCreateSubscribersDto,
  ): Promise<BulkResultResponse> {
    return this.subscribers.createMany(tenant, subscribers);
  }

  /** Lists subscribers, newest first, or those that match a search. */
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

  /** Updates a subscriber; what is absent stays. */
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

  /** Sets credentials for a chat or push provider; given keys win, given device tokens replace the stored ones. */
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

  /** Sets credentials for a chat or push provider; given device tokens are added to the stored ones. */
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

  /** Removes all credentials of a provider. */
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

  /** Tells whether a subscriber is online. */
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

  /** Lets an address that bounced for good be used again. */
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
