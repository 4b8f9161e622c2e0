import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, UseInterceptors } from '@nestjs/common';
import { ApiNoContentResponse, ApiTags } from '@nestjs/swagger';
import {
  ApiData,
  ApiErrors,
  ApiPage,
  Audited,
  IdParam,
  IfMatch,
  lookAt,
  NothingToUpdate,
  type Page,
  Tenant,
  VersionTagInterceptor,
} from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import { CreateLayoutDto, ListLayoutsDto, UpdateLayoutDto } from './layout.dto.js';
import { LayoutResponse } from './layout.response.js';
import { LayoutsService } from './layouts.service.js';
import {
  DefaultLayoutRequired,
  LayoutAlreadyExists,
  LayoutInUse,
  LayoutNotFound,
  LayoutVersionChanged,
  TooMuchContention,
} from './layouts.errors.js';

@ApiTags('Layouts')
@Controller({ path: 'layouts', version: '1' })
@Audited('layout', { look: lookAt(LayoutsService, (layouts, caller, id) => layouts.get(caller, id)) })
export class LayoutsController {
  constructor(private readonly layouts: LayoutsService) {}

  /**
   * Creates a layout for emails.
   * @remarks A layout is the HTML around the content of emails; `{{{body}}}` marks where the content goes.
   */
  @Post()
  @ApiData(201, LayoutResponse)
  @ApiErrors(LayoutAlreadyExists, TooMuchContention)
  createLayout(@Tenant() tenant: TenantContext, @Body() dto: CreateLayoutDto): Promise<LayoutResponse> {
    return this.layouts.create(tenant, dto);
  }

  /** Lists the layouts, newest first. */
  @Get()
  @ApiPage(LayoutResponse, { total: true })
  listLayouts(@Tenant() tenant: TenantContext, @Query() query: ListLayoutsDto): Promise<Page<LayoutResponse>> {
    return this.layouts.list(tenant, query);
  }

  /**
   * Gets a layout.
   * @remarks The header `ETag` names the version, `__v`.
   */
  @Get(':layoutId')
  @UseInterceptors(VersionTagInterceptor)
  @ApiData(200, LayoutResponse)
  @ApiErrors(LayoutNotFound)
  getLayout(@Tenant() tenant: TenantContext, @IdParam('layoutId') layoutId: string): Promise<LayoutResponse> {
    return this.layouts.get(tenant, layoutId);
  }

  /**
   * Updates a layout.
   * @remarks Absent fields are unchanged. The default layout remains the default until another layout becomes the
   * default. With `If-Match` and the `ETag` of an earlier answer, a layout that was changed in the meantime is not
   * overwritten.
   */
  @Patch(':layoutId')
  @UseInterceptors(VersionTagInterceptor)
  @ApiData(200, LayoutResponse)
  @ApiErrors(
    NothingToUpdate,
    LayoutNotFound,
    DefaultLayoutRequired,
    LayoutAlreadyExists,
    LayoutVersionChanged,
    TooMuchContention,
  )
  updateLayout(
    @Tenant() tenant: TenantContext,
    @IdParam('layoutId') layoutId: string,
    @Body() dto: UpdateLayoutDto,
    @IfMatch() ifMatch?: readonly number[],
  ): Promise<LayoutResponse> {
    return this.layouts.update(tenant, layoutId, dto, ifMatch);
  }

  /** Makes a layout the default. */
  @Post(':layoutId/default')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'The layout is the default' })
  @ApiErrors(LayoutNotFound, TooMuchContention)
  async setDefaultLayout(@Tenant() tenant: TenantContext, @IdParam('layoutId') layoutId: string): Promise<void> {
    await this.layouts.makeDefault(tenant, layoutId);
  }

  /**
   * Deletes a layout.
   * @remarks Returns 409 for the default layout and for a layout that a workflow uses.
   */
  @Delete(':layoutId')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Deleted' })
  @ApiErrors(LayoutNotFound, DefaultLayoutRequired, LayoutInUse)
  deleteLayout(@Tenant() tenant: TenantContext, @IdParam('layoutId') layoutId: string): Promise<void> {
    return this.layouts.remove(tenant, layoutId);
  }
}
