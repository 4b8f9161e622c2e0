import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiData, ApiErrors, ApiLinkedPage, type LinkedPage, Tenant } from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import {
  AuditedSubscriber,
  DeleteSubscriberResponse,
  DeletionPending,
  LinkedSubscribersQuery,
  SubscriberAlreadyExists,
  SubscriberDirectory,
  SubscriberNotFound,
  SubscriberResponse,
  SubscribersService,
  UpdateSubscriberDto,
} from '../../audience/subscribers/index.js';
import { TopicSubscriptions } from '../../audience/topics/index.js';
import { showSubscription, SubscriptionResponse } from '../topics/index.js';
import { SubscriptionsOfSubscriberQuery, UpsertSubscriberDto, UpsertSubscriberQuery } from './subscribers-v2.dto.js';

@ApiTags('v2')
@Controller({ path: 'subscribers', version: '2' })
@AuditedSubscriber({ keys: 'traffic' })
export class SubscribersV2Controller {
  constructor(
    private readonly subscribers: SubscribersService,
    private readonly directory: SubscriberDirectory,
    private readonly subscriptions: TopicSubscriptions,
  ) {}

  /**
   * Creates a subscriber, or updates the one that has the same subscriberId.
   * @remarks With `failIfExists=true`, the response is 409 if there is one.
   */
  @Post()
  @ApiData(201, SubscriberResponse)
  @ApiErrors(SubscriberAlreadyExists)
  upsertSubscriberV2(
    @Tenant() tenant: TenantContext,
    @Query() { failIfExists }: UpsertSubscriberQuery,
    @Body() dto: UpsertSubscriberDto,
  ): Promise<SubscriberResponse> {
    return failIfExists === true ? this.directory.createNew(tenant, dto) : this.subscribers.create(tenant, dto);
  }

  /**
   * Lists subscribers, newest first.
   * @remarks Several filters are combined with AND.
   */
  @Get()
  @ApiLinkedPage(SubscriberResponse)
  listSubscribersV2(
    @Tenant() tenant: TenantContext,
    @Query() query: LinkedSubscribersQuery,
  ): Promise<LinkedPage<SubscriberResponse>> {
    return this.directory.list(tenant, query);
  }

  /** Gets a subscriber. */
  @Get(':subscriberId')
  @ApiData(200, SubscriberResponse)
  @ApiErrors(SubscriberNotFound)
  getSubscriberV2(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
  ): Promise<SubscriberResponse> {
    return this.subscribers.get(tenant, subscriberId);
  }

  /**
   * Updates a subscriber.
   * @remarks Absent fields are unchanged; null or an empty text removes a value.
   */
  @Patch(':subscriberId')
  @ApiData(200, SubscriberResponse)
  @ApiErrors(SubscriberNotFound)
  updateSubscriberV2(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @Body() dto: UpdateSubscriberDto,
  ): Promise<SubscriberResponse> {
    return this.subscribers.update(tenant, subscriberId, dto);
  }

  /**
   * Deletes a subscriber with all personal data.
   * @remarks As `DELETE /v1/subscribers/{subscriberId}`.
   */
  @Delete(':subscriberId')
  @ApiData(200, DeleteSubscriberResponse)
  @ApiErrors(SubscriberNotFound, DeletionPending)
  deleteSubscriberV2(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
  ): Promise<DeleteSubscriberResponse> {
    return this.subscribers.remove(tenant, subscriberId);
  }

  /** Lists the topics that a subscriber is in, newest subscription first. */
  @Get(':subscriberId/subscriptions')
  @ApiLinkedPage(SubscriptionResponse)
  @ApiErrors(SubscriberNotFound)
  listSubscriptionsOfSubscriberV2(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @Query() query: SubscriptionsOfSubscriberQuery,
  ): Promise<LinkedPage<SubscriptionResponse>> {
    return this.subscriptions.ofSubscriber(tenant, subscriberId, query, showSubscription);
  }
}
