import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiDataArray, Tenant } from '#libs/http-kit';
import type { TenantContext } from '#libs/tenancy';
import { NotificationGroupResponse } from './dto/notification-group.response.js';
import { NotificationGroupsService } from './notification-groups.service.js';

@ApiTags('Notification groups')
@Controller({ path: 'notification-groups', version: '1' })
export class NotificationGroupsController {
  constructor(private readonly groups: NotificationGroupsService) {}

  /** Lists the notification groups of the environment. Every environment starts with one named General. */
  @Get()
  @ApiDataArray(200, NotificationGroupResponse)
  listNotificationGroups(@Tenant() tenant: TenantContext): Promise<NotificationGroupResponse[]> {
    return this.groups.list(tenant);
  }
}
