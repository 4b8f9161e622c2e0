import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiTags } from '@nestjs/swagger';
import {
  ApiData,
  ApiErrors,
  ApiPage,
  Audited,
  type AuditOptions,
  lookAt,
  NotAudited,
  Page,
  Tenant,
} from '#libs/http-kit';
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
import { SuppressedAddresses } from './suppressed-addresses.js';
import { DeletionPending, NoActiveIntegration, SubscriberNotFound } from './subscribers.errors.js';

@ApiTags('Subscribers')
@Controller({ path: 'subscribers', version: '1' })
@AuditedSubscriber({ keys: 'traffic' })
export class SubscribersController {
  constructor(
    private readonly subscribers: SubscribersService,
    private readonly addresses: SuppressedAddresses,
  ) {}

  /**
   * Creates a subscriber, or updates the one that has the same subscriberId.
   * @remarks Triggers create subscribers as well. Absent fields are unchanged; null or an empty text removes a value.
   */
  @Post()
  @ApiData(201, SubscriberResponse)
  @ApiErrors(NoActiveIntegration)
  createSubscriber(@Tenant() tenant: TenantContext, @Body() dto: CreateSubscriberDto): Promise<SubscriberResponse> {
    return this.subscribers.create(tenant, dto);
  }

  /**
   * Creates or updates up to 500 subscribers.
   * @remarks Up to 500 per call. Each is checked on its own: `failed` says why one was rejected, which does not affect the others.
   */
  @Post('bulk')
  @ApiData(201, BulkResultResponse)
  bulkCreateSubscribers(
    @Tenant() tenant: TenantContext,
    @Body() { subscribers }: BulkCreateSubscribersDto,
  ): Promise<BulkResultResponse> {
    return this.subscribers.createMany(tenant, subscribers);
  }

  /**
   * Lists subscribers, newest first.
   * @remarks Several filters are combined with AND.
   */
  @Get()
  @ApiPage(SubscriberResponse)
  listSubscribers(
    @Tenant() tenant: TenantContext,
    @Query() query: ListSubscribersQuery,
  ): Promise<Page<SubscriberResponse>> {
    return this.subscribers.list(tenant, query);
  }

  /** Gets a subscriber. */
  @Get(':subscriberId')
  @ApiData(200, SubscriberResponse)
  @ApiErrors(SubscriberNotFound)
  getSubscriber(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
  ): Promise<SubscriberResponse> {
    return this.subscribers.get(tenant, subscriberId);
  }

  /**
   * Updates a subscriber.
   * @remarks Absent fields are unchanged; null or an empty text removes a value.
   */
  @Put(':subscriberId')
  @ApiData(200, SubscriberResponse)
  @ApiErrors(SubscriberNotFound)
  updateSubscriber(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @Body() dto: UpdateSubscriberDto,
  ): Promise<SubscriberResponse> {
    return this.subscribers.update(tenant, subscriberId, dto);
  }

  /**
   * Deletes a subscriber with all personal data.
   * @remarks Waits until providers have answered the calls that have begun for the subscriber. After the response 200, nothing is sent,
   * and nothing that was accepted before creates the subscriber again. A later subscriber with the same id is another one. If the wait
   * takes too long, the response is 503, the deletion goes on, and the request can be sent again to get its outcome.
   */
  @Delete(':subscriberId')
  @ApiData(200, DeleteSubscriberResponse)
  @ApiErrors(SubscriberNotFound, DeletionPending)
  deleteSubscriber(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
  ): Promise<DeleteSubscriberResponse> {
    return this.subscribers.remove(tenant, subscriberId);
  }

  /**
   * Sets a subscriber's credentials for a chat or push provider.
   * @remarks Requires an active integration of the provider. Given keys replace the stored ones, including device
   * tokens; other keys are unchanged.
   */
  @Put(':subscriberId/credentials')
  @ApiData(200, SubscriberResponse)
  @ApiErrors(NoActiveIntegration, SubscriberNotFound)
  setSubscriberCredentials(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @Body() dto: ChannelCredentialsDto,
  ): Promise<SubscriberResponse> {
    return this.subscribers.setCredentials(tenant, subscriberId, dto, 'replace');
  }

  /**
   * Adds to a subscriber's credentials for a chat or push provider.
   * @remarks Requires an active integration of the provider. Device tokens are added to the stored ones; other given
   * keys replace the stored ones.
   */
  @Patch(':subscriberId/credentials')
  @ApiData(200, SubscriberResponse)
  @ApiErrors(NoActiveIntegration, SubscriberNotFound)
  addSubscriberCredentials(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @Body() dto: ChannelCredentialsDto,
  ): Promise<SubscriberResponse> {
    return this.subscribers.setCredentials(tenant, subscriberId, dto, 'append');
  }

  /** Removes a subscriber's credentials for a provider. */
  @Delete(':subscriberId/credentials/:providerId')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'The credentials are removed' })
  @ApiErrors(SubscriberNotFound)
  deleteSubscriberCredentials(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @Param('providerId') providerId: string,
  ): Promise<void> {
    return this.subscribers.removeCredentials(tenant, subscriberId, providerId);
  }

  /** Sets whether a subscriber is online. */
  @Patch(':subscriberId/online-status')
  @NotAudited('the presence of a person, which changes all the time')
  @ApiData(200, SubscriberResponse)
  @ApiErrors(SubscriberNotFound)
  setSubscriberOnlineStatus(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @Body() dto: OnlineStatusDto,
  ): Promise<SubscriberResponse> {
    return this.subscribers.setOnline(tenant, subscriberId, dto);
  }

  /**
   * Allows an address to be used again after a hard bounce.
   * @remarks Herald does not send to an address that a provider reported as invalid until this call, or until the
   * subscriber's address changes.
   */
  @Delete(':subscriberId/address-states/:channel')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'The address can be used again' })
  @ApiErrors(SubscriberNotFound)
  clearSubscriberAddressState(
    @Tenant() tenant: TenantContext,
    @Param() { subscriberId, channel }: AddressStateParams,
  ): Promise<void> {
    return this.addresses.clear(tenant, subscriberId, channel);
  }
}

/** Entries hold the record id of the subscriber and the names of fields: what is deleted must not stay in the log. */
export function AuditedSubscriber(options: Pick<AuditOptions, 'keys' | 'reads'> = {}): ReturnType<typeof Audited> {
  const look = lookAt(SubscribersService, (subscribers, caller, id) => subscribers.get(caller, id));
  return Audited('subscriber', { ...options, look, idField: 'subscriberId', personal: true });
}
