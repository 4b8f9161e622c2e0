import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiTags } from '@nestjs/swagger';
import {
  ApiData,
  ApiErrors,
  ApiPage,
  Audited,
  lookAt,
  NeedsScope,
  NotAudited,
  type Page,
  PageQuery,
  Tenant,
} from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import { CreateSegmentDto, PreviewSegmentDto, UpdateSegmentDto } from './segment.dto.js';
import { SegmentPreviewResponse, SegmentResponse } from './segment.response.js';
import { SegmentAlreadyExists, SegmentNotFound } from './segments.errors.js';
import { SegmentsService } from './segments.service.js';

@ApiTags('Segments')
@Controller({ path: 'segments', version: '1' })
@Audited('segment', {
  look: lookAt(SegmentsService, (segments, caller, id) => segments.get(caller, id)),
  idField: 'segmentId',
})
export class SegmentsController {
  constructor(private readonly segments: SegmentsService) {}

  /** Creates a segment. */
  @Post()
  @ApiData(201, SegmentResponse)
  @ApiErrors(SegmentAlreadyExists)
  createSegment(@Tenant() tenant: TenantContext, @Body() dto: CreateSegmentDto): Promise<SegmentResponse> {
    return this.segments.create(tenant, dto);
  }

  /** Lists the segments, newest first. */
  @Get()
  @ApiPage(SegmentResponse)
  listSegments(@Tenant() tenant: TenantContext, @Query() query: PageQuery): Promise<Page<SegmentResponse>> {
    return this.segments.list(tenant, query);
  }

  /** Counts the subscribers who pass conditions, and shows ten of them. Stores nothing. */
  @Post('preview')
  @NotAudited('changes nothing')
  @HttpCode(200)
  @NeedsScope('read')
  @ApiData(200, SegmentPreviewResponse)
  previewSegment(
    @Tenant() tenant: TenantContext,
    @Body() { conditions }: PreviewSegmentDto,
  ): Promise<SegmentPreviewResponse> {
    return this.segments.preview(tenant, conditions);
  }

  /** Gets a segment. */
  @Get(':segmentId')
  @ApiData(200, SegmentResponse)
  @ApiErrors(SegmentNotFound)
  getSegment(@Tenant() tenant: TenantContext, @Param('segmentId') segmentId: string): Promise<SegmentResponse> {
    return this.segments.get(tenant, segmentId);
  }

  /** Counts the subscribers of a segment, and shows ten of them. */
  @Get(':segmentId/preview')
  @ApiData(200, SegmentPreviewResponse)
  @ApiErrors(SegmentNotFound)
  previewStoredSegment(
    @Tenant() tenant: TenantContext,
    @Param('segmentId') segmentId: string,
  ): Promise<SegmentPreviewResponse> {
    return this.segments.previewOf(tenant, segmentId);
  }

  /**
   * Updates a segment.
   * @remarks Absent fields are unchanged. Events that were accepted before reach whom they would have reached.
   */
  @Patch(':segmentId')
  @ApiData(200, SegmentResponse)
  @ApiErrors(SegmentNotFound)
  updateSegment(
    @Tenant() tenant: TenantContext,
    @Param('segmentId') segmentId: string,
    @Body() dto: UpdateSegmentDto,
  ): Promise<SegmentResponse> {
    return this.segments.update(tenant, segmentId, dto);
  }

  /** Deletes a segment. Its subscribers stay. */
  @Delete(':segmentId')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Deleted' })
  @ApiErrors(SegmentNotFound)
  deleteSegment(@Tenant() tenant: TenantContext, @Param('segmentId') segmentId: string): Promise<void> {
    return this.segments.remove(tenant, segmentId);
  }
}
