import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiTags } from '@nestjs/swagger';
import { ApiData, ApiErrors, ApiPage, Audited, lookAt, type Page, Tenant } from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import { CreateTopicDto, ListTopicsQuery, RenameTopicDto, TopicSubscribersDto } from './topic.dto.js';
import { AddSubscribersResponse, TopicResponse, TopicSubscriberResponse } from './topic.response.js';
import { TopicsService } from './topics.service.js';
import { TopicAlreadyExists, TopicHasSubscribers, TopicNotFound, TopicSubscriberNotFound } from './topics.errors.js';

@ApiTags('Topics')
@Controller({ path: 'topics', version: '1' })
@AuditedTopic()
export class TopicsController {
  constructor(private readonly topics: TopicsService) {}

  /** Creates a topic. */
  @Post()
  @ApiData(201, TopicResponse)
  @ApiErrors(TopicAlreadyExists)
  createTopic(@Tenant() tenant: TenantContext, @Body() dto: CreateTopicDto): Promise<TopicResponse> {
    return this.topics.create(tenant, dto);
  }

  /** Lists the topics, oldest first. */
  @Get()
  @ApiPage(TopicResponse, { total: true })
  listTopics(@Tenant() tenant: TenantContext, @Query() query: ListTopicsQuery): Promise<Page<TopicResponse>> {
    return this.topics.list(tenant, query);
  }

  /** Gets a topic with all its subscribers. */
  @Get(':topicKey')
  @ApiData(200, TopicResponse)
  @ApiErrors(TopicNotFound)
  getTopic(@Tenant() tenant: TenantContext, @Param('topicKey') topicKey: string): Promise<TopicResponse> {
    return this.topics.get(tenant, topicKey);
  }

  /** Renames a topic. */
  @Patch(':topicKey')
  @ApiData(200, TopicResponse)
  @ApiErrors(TopicNotFound)
  renameTopic(
    @Tenant() tenant: TenantContext,
    @Param('topicKey') topicKey: string,
    @Body() { name }: RenameTopicDto,
  ): Promise<TopicResponse> {
    return this.topics.rename(tenant, topicKey, name);
  }

  /**
   * Deletes a topic without subscribers.
   * @remarks Returns 409 while the topic has subscribers.
   */
  @Delete(':topicKey')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Deleted' })
  @ApiErrors(TopicNotFound, TopicHasSubscribers)
  deleteTopic(@Tenant() tenant: TenantContext, @Param('topicKey') topicKey: string): Promise<void> {
    return this.topics.remove(tenant, topicKey);
  }

  /**
   * Adds subscribers to a topic; creates the topic if it does not exist.
   * @remarks Unknown ids are listed under `failed`.
   */
  @Post(':topicKey/subscribers')
  @HttpCode(200)
  @ApiData(200, AddSubscribersResponse)
  addTopicSubscribers(
    @Tenant() tenant: TenantContext,
    @Param('topicKey') topicKey: string,
    @Body() { subscribers }: TopicSubscribersDto,
  ): Promise<AddSubscribersResponse> {
    return this.topics.addSubscribers(tenant, topicKey, subscribers);
  }

  /**
   * Checks whether a subscriber is in a topic.
   * @remarks Returns 404 if the subscriber is not in the topic.
   */
  @Get(':topicKey/subscribers/:subscriberId')
  @ApiData(200, TopicSubscriberResponse)
  @ApiErrors(TopicNotFound, TopicSubscriberNotFound)
  getTopicSubscriber(
    @Tenant() tenant: TenantContext,
    @Param('topicKey') topicKey: string,
    @Param('subscriberId') subscriberId: string,
  ): Promise<TopicSubscriberResponse> {
    return this.topics.getSubscriber(tenant, topicKey, subscriberId);
  }

  /** Removes subscribers from a topic. */
  @Post(':topicKey/subscribers/removal')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'The subscribers are removed' })
  removeTopicSubscribers(
    @Tenant() tenant: TenantContext,
    @Param('topicKey') topicKey: string,
    @Body() { subscribers }: TopicSubscribersDto,
  ): Promise<void> {
    return this.topics.removeSubscribers(tenant, topicKey, subscribers);
  }
}

export function AuditedTopic(): ReturnType<typeof Audited> {
  const look = lookAt(TopicsService, (topics, caller, id) => topics.get(caller, id));
  return Audited('topic', { look, idField: 'key', personal: ['subscribers'], keys: 'traffic' });
}
