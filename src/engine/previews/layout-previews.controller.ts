import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { TenantContext } from '#libs/common';
import { ApiData, ApiErrors, NeedsScope, NotAudited, Tenant } from '#libs/http-kit';
import { RenderingIsBusy } from '../delivery/index.js';
import { PreviewLayoutDto } from './layout-preview.dto.js';
import { LayoutPreviewResponse } from './layout-preview.response.js';
import { LayoutPreviewsService } from './layout-previews.service.js';

@ApiTags('Layouts')
@Controller({ path: 'layouts', version: '1' })
@NotAudited('changes nothing')
export class LayoutPreviewsController {
  constructor(private readonly previews: LayoutPreviewsService) {}

  /**
   * Previews a layout that need not be stored.
   * @remarks Renders the layout around a sample message to a sample subscriber, with the branding of the environment. Nothing
   * is stored or sent.
   */
  @Post('preview')
  @HttpCode(200)
  @NeedsScope('read')
  @ApiData(200, LayoutPreviewResponse)
  @ApiErrors(RenderingIsBusy)
  previewLayout(@Tenant() tenant: TenantContext, @Body() dto: PreviewLayoutDto): Promise<LayoutPreviewResponse> {
    return this.previews.preview(tenant, dto);
  }
}
