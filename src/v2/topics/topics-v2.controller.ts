import { Body, Controller, Delete, Get, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiData, ApiErrors, ApiLinkedPage, type HttpReply, type LinkedPage, Tenant } from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import {
  AuditedTopic,
  TopicAlreadyExists,
  TopicDirectory,
  TopicNotFound,
  TopicsService,
} from '../../audience/topics/index.js';
import { FieldNotServed } from '../not-served/index.js';
import { LinkedTopicsQuery, UpdateTopicDto, UpsertTopicDto, UpsertTopicQuery } from './topic-v2.dto.js';
import { DeletedTopicResponse, showTopicV2, TopicV2Response } from './topic-v2.response.js';
import { TopicsV2Service } from './topics-v2.service.js';

@ApiTags('v2')
@Controller({ path: 'topics', version: '2' })
@AuditedTopic()
export class TopicsV2Controller {
  constructor(
    private readonly service: TopicsV2Service,
    private readonly directory: TopicDirectory,
    private readonly topics: TopicsService,
  ) {}

  /**
   * Creates a topic, or updates the one that has the same key.
   * @remarks The response is 201 for a new topic, and 200 otherwise. With `failIfExists=true`, it is 409 if there is one.
   */
  @Post()
  @ApiData(201, TopicV2Response, 'Created')
  @ApiData(200, TopicV2Response, 'Updated')
  @ApiErrors(TopicAlreadyExists)
  async upsertTopicV2(
    @Tenant() tenant: TenantContext,
    @Query() { failIfExists }: UpsertTopicQuery,
    @Body() dto: UpsertTopicDto,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<TopicV2Response> {
    const { topic, isNew } = await this.service.put(tenant, dto, failIfExists);
    reply.status(isNew ? 201 : 200);
    return topic;
  }

  /** Lists topics, newest first. */
  @Get()
  @ApiLinkedPage(TopicV2Response)
  @ApiErrors(FieldNotServed)
  listTopicsV2(
    @Tenant() tenant: TenantContext,
    @Query() query: LinkedTopicsQuery,
  ): Promise<LinkedPage<TopicV2Response>> {
    return this.service.list(tenant, query);
  }

  /** Gets a topic. */
  @Get(':topicKey')
  @ApiData(200, TopicV2Response)
  @ApiErrors(TopicNotFound)
  async getTopicV2(@Tenant() tenant: TenantContext, @Param('topicKey') topicKey: string): Promise<TopicV2Response> {
    return showTopicV2(await this.topics.mustFind(tenant, topicKey));
  }

  /**
   * Updates a topic.
   * @remarks Absent fields are unchanged.
   */
  @Patch(':topicKey')
  @ApiData(200, TopicV2Response)
  @ApiErrors(TopicNotFound)
  async updateTopicV2(
    @Tenant() tenant: TenantContext,
    @Param('topicKey') topicKey: string,
    @Body() dto: UpdateTopicDto,
  ): Promise<TopicV2Response> {
    return showTopicV2(await this.directory.change(tenant, topicKey, dto));
  }

  /** Deletes a topic with all its subscriptions. */
  @Delete(':topicKey')
  @ApiData(200, DeletedTopicResponse)
  @ApiErrors(TopicNotFound)
  async deleteTopicV2(
    @Tenant() tenant: TenantContext,
    @Param('topicKey') topicKey: string,
  ): Promise<DeletedTopicResponse> {
    await this.topics.remove(tenant, topicKey, true);
    return { acknowledged: true };
  }
}
