import { Body, Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiData, ApiDataArray, ApiErrors, IdParam, Tenant, type TenantContext } from 'herald/plugin';
import { AnnouncementResponse, CreateAnnouncementDto } from './announcement.dto.js';
import { AnnouncementAlreadyExists, AnnouncementNotFound, AnnouncementsService } from './announcements.service.js';

/** Routes need a key: those that read one with the scope `read`, all others one with the scope `write`. */
@ApiTags('Announcements')
@Controller({ path: 'announcements', version: '1' })
export class AnnouncementsController {
  constructor(private readonly announcements: AnnouncementsService) {}

  @Post()
  @ApiOperation({ summary: 'Creates an announcement.' })
  @ApiData(201, AnnouncementResponse)
  @ApiErrors(AnnouncementAlreadyExists)
  createAnnouncement(
    @Tenant() tenant: TenantContext,
    @Body() dto: CreateAnnouncementDto,
  ): Promise<AnnouncementResponse> {
    return this.announcements.create(tenant, dto);
  }

  @Get()
  @ApiOperation({ summary: 'Lists the announcements, newest first.' })
  @ApiDataArray(200, AnnouncementResponse)
  listAnnouncements(@Tenant() tenant: TenantContext): Promise<AnnouncementResponse[]> {
    return this.announcements.list(tenant);
  }

  @Delete(':announcementId')
  @HttpCode(204)
  @ApiOperation({ summary: 'Deletes an announcement.' })
  @ApiNoContentResponse({ description: 'Deleted' })
  @ApiErrors(AnnouncementNotFound)
  deleteAnnouncement(@Tenant() tenant: TenantContext, @IdParam('announcementId') id: string): Promise<void> {
    return this.announcements.remove(tenant, id);
  }
}
