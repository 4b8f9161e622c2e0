import { Body, Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiData, ApiDataArray, ApiErrors, Audited, IdParam, lookAt, Tenant } from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import { CreateNotificationGroupDto, UpdateNotificationGroupDto } from './notification-group.dto.js';
import { DeletedNotificationGroupResponse, NotificationGroupResponse } from './notification-group.response.js';
import { NotificationGroupsService } from './notification-groups.service.js';
import { NotificationGroupInUse, NotificationGroupNotFound } from './notification-groups.errors.js';

@ApiTags('Notification groups')
@Controller({ path: 'notification-groups', version: '1' })
@Audited('notification-group', {
  look: lookAt(NotificationGroupsService, (groups, caller, id) => groups.get(caller, id)),
})
export class NotificationGroupsController {
  constructor(private readonly groups: NotificationGroupsService) {}

  /** Creates a notification group. */
  @Post()
  @ApiData(201, NotificationGroupResponse)
  createNotificationGroup(
    @Tenant() tenant: TenantContext,
    @Body() dto: CreateNotificationGroupDto,
  ): Promise<NotificationGroupResponse> {
    return this.groups.create(tenant, dto);
  }

  /**
   * Lists the notification groups, oldest first.
   * @remarks Every environment starts with one named General.
   */
  @Get()
  @ApiDataArray(200, NotificationGroupResponse)
  listNotificationGroups(@Tenant() tenant: TenantContext): Promise<NotificationGroupResponse[]> {
    return this.groups.list(tenant);
  }

  /** Gets a notification group. */
  @Get(':groupId')
  @ApiData(200, NotificationGroupResponse)
  @ApiErrors(NotificationGroupNotFound)
  getNotificationGroup(
    @Tenant() tenant: TenantContext,
    @IdParam('groupId') groupId: string,
  ): Promise<NotificationGroupResponse> {
    return this.groups.get(tenant, groupId);
  }

  /**
   * Updates a notification group.
   * @remarks Absent fields other than the name are unchanged.
   */
  @Patch(':groupId')
  @ApiData(200, NotificationGroupResponse)
  @ApiErrors(NotificationGroupNotFound)
  updateNotificationGroup(
    @Tenant() tenant: TenantContext,
    @IdParam('groupId') groupId: string,
    @Body() dto: UpdateNotificationGroupDto,
  ): Promise<NotificationGroupResponse> {
    return this.groups.update(tenant, groupId, dto);
  }

  /**
   * Deletes a notification group without workflows.
   * @remarks Returns 409 while workflows belong to the group.
   */
  @Delete(':groupId')
  @ApiData(200, DeletedNotificationGroupResponse)
  @ApiErrors(NotificationGroupNotFound, NotificationGroupInUse)
  deleteNotificationGroup(
    @Tenant() tenant: TenantContext,
    @IdParam('groupId') groupId: string,
  ): Promise<DeletedNotificationGroupResponse> {
    return this.groups.remove(tenant, groupId);
  }
}
