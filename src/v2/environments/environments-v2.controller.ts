import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller, TenantContext } from '#libs/common';
import {
  ApiData,
  ApiDataArray,
  ApiErrors,
  Audited,
  HidesUrlSecrets,
  IdParam,
  NeedsScope,
  NotAudited,
  Tenant,
} from '#libs/http-kit';
import { PromotionNeedsPerson, PromotionOutdated } from '../../content/promotions/index.js';
import { EnvironmentClosed } from '../../people/users/index.js';
import { EnvironmentNotFound } from '../../platform/environments/index.js';
import { DiffEnvironmentDto, PublishEnvironmentDto } from './environments-v2.dto.js';
import {
  EnvironmentDiffResponse,
  EnvironmentPublishResponse,
  EnvironmentTagResponse,
} from './environments-v2.response.js';
import { EnvironmentsV2Service } from './environments-v2.service.js';

@ApiTags('v2')
@Controller({ path: 'environments/:environmentId', version: '2' })
@ApiErrors(EnvironmentNotFound)
@HidesUrlSecrets('resources')
export class EnvironmentsV2Controller {
  constructor(private readonly service: EnvironmentsV2Service) {}

  /** Lists the tags of the workflows of your environment. */
  @Get('tags')
  @ApiDataArray(200, EnvironmentTagResponse)
  listEnvironmentTagsV2(
    @Tenant() tenant: TenantContext,
    @IdParam('environmentId') environmentId: string,
  ): Promise<EnvironmentTagResponse[]> {
    return this.service.tags(tenant, environmentId);
  }

  /**
   * Compares an environment with another one.
   * @remarks For people who are signed in: an API key belongs to one environment.
   */
  @Post('diff')
  @NotAudited('changes nothing')
  @NeedsScope('read')
  @HttpCode(200)
  @ApiData(200, EnvironmentDiffResponse)
  @ApiErrors(PromotionNeedsPerson, EnvironmentClosed)
  diffEnvironmentV2(
    @Tenant() caller: Caller,
    @IdParam('environmentId') environmentId: string,
    @Body() dto: DiffEnvironmentDto,
  ): Promise<EnvironmentDiffResponse> {
    return this.service.diff(caller, environmentId, dto);
  }

  /**
   * Publishes what differs in another environment into this one.
   * @remarks It is a promotion, for people who are signed in. Nothing is deleted.
   */
  @Post('publish')
  @Audited('promotion')
  @HttpCode(200)
  @ApiData(200, EnvironmentPublishResponse)
  @ApiErrors(PromotionNeedsPerson, PromotionOutdated, EnvironmentClosed)
  publishEnvironmentV2(
    @Tenant() caller: Caller,
    @IdParam('environmentId') environmentId: string,
    @Body() dto: PublishEnvironmentDto,
  ): Promise<EnvironmentPublishResponse> {
    return this.service.publish(caller, environmentId, dto);
  }
}
