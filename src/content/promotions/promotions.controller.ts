import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/common';
import { ApiData, ApiErrors, Audited, HidesUrlSecrets, NeedsScope, NotAudited, Tenant } from '#libs/http-kit';
import { EnvironmentNotFound } from '../../platform/environments/index.js';
import { EnvironmentClosed } from '../../people/users/index.js';
import { WorkflowNotFound } from '../workflows/index.js';
import { PreviewPromotionDto, PromoteDto } from './promotion.dto.js';
import { promotedRecords, PromotionPreviewResponse, PromotionResponse } from './promotion.response.js';
import { PromotionNeedsPerson, PromotionOutdated } from './promotions.errors.js';
import { PromotionsService } from './promotions.service.js';

/** From another environment of a person into that of the request. */
@ApiTags('Definitions')
@Controller({ path: 'promotions', version: '1' })
@ApiErrors(PromotionNeedsPerson, EnvironmentClosed, EnvironmentNotFound, WorkflowNotFound)
@HidesUrlSecrets('changes')
export class PromotionsController {
  constructor(private readonly promotions: PromotionsService) {}

  /**
   * Shows what a promotion would change in your environment.
   * @remarks Compares the definitions of another environment in which you have a role with those of yours. Nothing is stored. For people who
   * are signed in: an API key belongs to one environment, and `herald promote` takes two.
   */
  @Post('preview')
  @NotAudited('changes nothing')
  @NeedsScope('read')
  @HttpCode(200)
  @ApiData(200, PromotionPreviewResponse)
  previewPromotion(@Tenant() caller: Caller, @Body() dto: PreviewPromotionDto): Promise<PromotionPreviewResponse> {
    return this.promotions.preview(caller, dto);
  }

  /**
   * Promotes definitions of another environment into yours.
   * @remarks Takes the `digest` of a preview, and changes nothing if one of the environments has changed since. Each workflow gets a new version,
   * whose note names the environment and the version that it comes from. Read-only environments accept it.
   */
  @Post()
  @Audited('promotion', { told: promotedRecords })
  @HttpCode(200)
  @ApiData(200, PromotionResponse)
  @ApiErrors(PromotionOutdated)
  promote(@Tenant() caller: Caller, @Body() dto: PromoteDto): Promise<PromotionResponse> {
    return this.promotions.promote(caller, dto);
  }
}
