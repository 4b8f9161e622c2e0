import { Body, Controller, Delete, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiData, ApiDataArray, ApiErrors, Audited, IdParam, lookAt, Tenant } from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import { CreateFeedDto } from './feed.dto.js';
import { FeedResponse } from './feed.response.js';
import { FeedsService } from './feeds.service.js';
import { FeedAlreadyExists, FeedInUse, FeedNotFound } from './feeds.errors.js';

@ApiTags('Feeds')
@Controller({ path: 'feeds', version: '1' })
@Audited('feed', { look: lookAt(FeedsService, (feeds, caller) => feeds.list(caller)) })
export class FeedsController {
  constructor(private readonly feeds: FeedsService) {}

  /** Creates a feed. */
  @Post()
  @ApiData(201, FeedResponse)
  @ApiErrors(FeedAlreadyExists)
  createFeed(@Tenant() tenant: TenantContext, @Body() dto: CreateFeedDto): Promise<FeedResponse> {
    return this.feeds.create(tenant, dto);
  }

  /** Lists the feeds. */
  @Get()
  @ApiDataArray(200, FeedResponse)
  listFeeds(@Tenant() tenant: TenantContext): Promise<FeedResponse[]> {
    return this.feeds.list(tenant);
  }

  /**
   * Deletes a feed; returns the remaining ones.
   * @remarks Returns 409 while a workflow uses the feed.
   */
  @Delete(':feedId')
  @ApiDataArray(200, FeedResponse)
  @ApiErrors(FeedNotFound, FeedInUse)
  deleteFeed(@Tenant() tenant: TenantContext, @IdParam('feedId') feedId: string): Promise<FeedResponse[]> {
    return this.feeds.remove(tenant, feedId);
  }
}
