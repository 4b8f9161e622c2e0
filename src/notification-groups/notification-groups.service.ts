import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { INCLUDE_DELETED, type TenantModel } from '#libs/persistence';
import type { TenantContext } from '#libs/tenancy';
import { NotificationGroupResponse } from './dto/notification-group.response.js';
import { NotificationGroup } from './notification-group.schema.js';
import { NotificationGroupNotFound } from './notification-groups.errors.js';

const DEFAULT_NAME = 'General';

@Injectable()
export class NotificationGroupsService {
  constructor(@InjectModel(NotificationGroup.name) private readonly groups: TenantModel<NotificationGroup>) {}

  /** The groups of the environment, oldest first. */
  async list(tenant: TenantContext): Promise<NotificationGroupResponse[]> {
    const rows = await this.groups.find({ _environmentId: tenant.environmentId }).sort({ _id: 1 }).lean().exec();
    return rows.map((row) => NotificationGroupResponse.from(row));
  }

  /** @throws {NotificationGroupNotFound} */
  async get(tenant: TenantContext, id: string): Promise<NotificationGroupResponse> {
    const row = await this.groups.findOne({ _id: id, _environmentId: tenant.environmentId }).lean().exec();
    if (row === null) throw new NotificationGroupNotFound(id);
    return NotificationGroupResponse.from(row);
  }

  /** Gives a new environment its first group (decisions 5.4); a group that was deleted since stays deleted. */
  async ensureDefault(owner: Pick<TenantContext, 'organizationId' | 'environmentId'>): Promise<void> {
    await this.groups.updateOne(
      { _environmentId: owner.environmentId, isDefault: true },
      { $setOnInsert: { _organizationId: owner.organizationId, name: DEFAULT_NAME, deleted: false } },
      { upsert: true, ...INCLUDE_DELETED },
    );
  }
}
