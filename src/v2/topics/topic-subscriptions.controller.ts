import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiData, ApiErrors, ApiLinkedPage, type LinkedPage, type Rows, Tenant } from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import {
  AuditedTopic,
  TopicNotFound,
  TopicSubscriberNotFound,
  TopicSubscriptions,
} from '../../audience/topics/index.js';
import { FieldNotServed } from '../not-served/index.js';
import {
  AddSubscriptionsDto,
  SubscriptionsDto,
  SubscriptionsOfTopicQuery,
  UpdateSubscriptionDto,
} from './topic-v2.dto.js';
import { showSubscription, SubscriptionResponse, SubscriptionsChangedResponse } from './topic-v2.response.js';
import { TopicsV2Service } from './topics-v2.service.js';

@ApiTags('v2')
@Controller({ path: 'topics/:topicKey/subscriptions', version: '2' })
@AuditedTopic()
export class TopicSubscriptionsController {
  constructor(
    private readonly service: TopicsV2Service,
    private readonly subscriptions: TopicSubscriptions,
  ) {}

  /**
   * Adds subscribers to a topic; creates the topic if it does not exist.
   * @remarks Unknown subscribers are listed under `errors`.
   */
  @Post()
  @ApiCreatedResponse({ type: SubscriptionsChangedResponse, description: 'Added, or there before' })
  @ApiErrors(FieldNotServed)
  addSubscriptionsV2(
    @Tenant() tenant: TenantContext,
    @Param('topicKey') topicKey: string,
    @Body() dto: AddSubscriptionsDto,
  ): Promise<Rows<SubscriptionResponse>> {
    return this.service.subscribe(tenant, topicKey, dto);
  }

  /** Lists the subscriptions of a topic, ordered by the identifiers of the subscribers. */
  @Get()
  @ApiLinkedPage(SubscriptionResponse)
  @ApiErrors(TopicNotFound)
  listSubscriptionsOfTopicV2(
    @Tenant() tenant: TenantContext,
    @Param('topicKey') topicKey: string,
    @Query() query: SubscriptionsOfTopicQuery,
  ): Promise<LinkedPage<SubscriptionResponse>> {
    return this.subscriptions.ofTopic(tenant, topicKey, query, showSubscription);
  }

  /**
   * Removes subscribers from a topic.
   * @remarks Those who are not in the topic are listed under `errors`.
   */
  @Delete()
  @ApiOkResponse({ type: SubscriptionsChangedResponse, description: 'Removed' })
  @ApiErrors(TopicNotFound, FieldNotServed)
  removeSubscriptionsV2(
    @Tenant() tenant: TenantContext,
    @Param('topicKey') topicKey: string,
    @Body() dto: SubscriptionsDto,
  ): Promise<Rows<SubscriptionResponse>> {
    return this.service.unsubscribe(tenant, topicKey, dto);
  }

  /** Gets the subscription of a subscriber to a topic. */
  @Get(':subscriberId')
  @ApiData(200, SubscriptionResponse)
  @ApiErrors(TopicNotFound, TopicSubscriberNotFound)
  async getSubscriptionV2(
    @Tenant() tenant: TenantContext,
    @Param('topicKey') topicKey: string,
    @Param('subscriberId') subscriberId: string,
  ): Promise<SubscriptionResponse> {
    return showSubscription(await this.subscriptions.get(tenant, topicKey, subscriberId));
  }

  /**
   * Updates a subscription to a topic.
   * @remarks A subscription has no name and no conditions of its own: the response is 422 if the request has some.
   */
  @Patch(':subscriberId')
  @ApiData(200, SubscriptionResponse)
  @ApiErrors(TopicNotFound, TopicSubscriberNotFound, FieldNotServed)
  updateSubscriptionV2(
    @Tenant() tenant: TenantContext,
    @Param('topicKey') topicKey: string,
    @Param('subscriberId') subscriberId: string,
    @Body() dto: UpdateSubscriptionDto,
  ): Promise<SubscriptionResponse> {
    return this.service.update(tenant, topicKey, subscriberId, dto);
  }
}
