import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import {
  INCLUDE_DELETED,
  OLDEST_FIRST,
  onDuplicateKey,
  ownedBy,
  partialUpdate,
  ReferenceGuard,
  type TenantModel,
  toObjectId,
  withoutNullish,
} from '#libs/persistence';
import {
  type DefinedRecord,
  type DefinitionChange,
  definitionChange,
  isChange,
  OnDomainEvent,
  type TenantContext,
} from '#libs/common';
import { EnvironmentReady } from '../../platform/environments/index.js';
import type { CreateNotificationGroupDto, UpdateNotificationGroupDto } from './notification-group.dto.js';
import {
  type DeletedNotificationGroupResponse,
  type NotificationGroupResponse,
  showNotificationGroup,
} from './notification-group.response.js';
import { NotificationGroup } from './notification-group.schema.js';
import { NotificationGroupInUse, NotificationGroupNotFound } from './notification-groups.errors.js';

const DEFAULT_NAME = 'General';

@Injectable()
export class NotificationGroupsService {
  constructor(
    @InjectModel(NotificationGroup.name) private readonly groups: TenantModel<NotificationGroup>,
    private readonly references: ReferenceGuard,
  ) {}

  async create(tenant: TenantContext, dto: CreateNotificationGroupDto): Promise<NotificationGroupResponse> {
    const group = await this.groups.create({ ...ownedBy(tenant), ...withoutNullish(definitionOf(dto)) });
    return showNotificationGroup(group.toObject());
  }

  async list(tenant: TenantContext): Promise<NotificationGroupResponse[]> {
    const rows = await this.groups.list(tenant, {}, { sort: OLDEST_FIRST });
    return rows.map((row) => showNotificationGroup(row));
  }

  /** Oldest first. */
  async definitions(tenant: TenantContext): Promise<DefinedRecord<CreateNotificationGroupDto>[]> {
    const rows = await this.list(tenant);
    return rows.map((row) => ({ id: row._id, definition: withoutNullish(definitionOf(row)) }));
  }

  async get(tenant: TenantContext, id: string): Promise<NotificationGroupResponse> {
    const row = await this.groups.one(tenant, { _id: toObjectId(id) });
    if (row === undefined) throw new NotificationGroupNotFound(id);
    return showNotificationGroup(row);
  }

  async findByIds(tenant: TenantContext, ids: readonly string[]): Promise<Map<string, NotificationGroupResponse>> {
    const rows = await this.groups.byIds(tenant, ids);
    return new Map([...rows].map(([id, row]) => [id, showNotificationGroup(row)]));
  }

  /** The oldest one wins. */
  async findByName(tenant: TenantContext, name: string): Promise<NotificationGroupResponse | undefined> {
    const row = await this.groups.one(tenant, { name }, { sort: OLDEST_FIRST });
    return row && showNotificationGroup(row);
  }

  /** The oldest group of the environment; one is created if all were deleted. */
  async getDefault(tenant: TenantContext): Promise<NotificationGroupResponse> {
    const row = await this.groups.one(tenant, {}, { sort: OLDEST_FIRST });
    return row === undefined ? this.getOrCreate(tenant, DEFAULT_NAME) : showNotificationGroup(row);
  }

  async getOrCreate(tenant: TenantContext, name: string): Promise<NotificationGroupResponse> {
    const existing = await this.findByName(tenant, name);
    if (existing !== undefined) return existing;
    return this.groups.create({ ...ownedBy(tenant), name, isEnsured: true }).then(
      (group) => showNotificationGroup(group.toObject()),
      onDuplicateKey(async (error) => {
        const winner = await this.findByName(tenant, name);
        if (winner === undefined) throw error;
        return winner;
      }),
    );
  }

  /** @param isDryRun only reports what would happen */
  async define(
    tenant: TenantContext,
    dto: CreateNotificationGroupDto,
    isDryRun: boolean,
  ): Promise<DefinitionChange<CreateNotificationGroupDto>> {
    const { name, ...rest } = definitionOf(dto);
    const existing = await this.findByName(tenant, name);
    const before = existing === undefined ? null : withoutNullish(definitionOf(existing));
    const change = definitionChange(before, withoutNullish({ name, ...rest }));
    if (isChange(change, isDryRun)) {
      const { _id } = await this.getOrCreate(tenant, name);
      await this.write(tenant, _id, rest);
    }
    return change;
  }

  async update(tenant: TenantContext, id: string, dto: UpdateNotificationGroupDto): Promise<NotificationGroupResponse> {
    // Names chosen by callers need not be unique.
    const row = await this.write(tenant, id, { ...dto, isEnsured: null });
    if (row === null) throw new NotificationGroupNotFound(id);
    return showNotificationGroup(row);
  }

  private write({ environmentId }: TenantContext, id: string, change: object): Promise<NotificationGroup | null> {
    return this.groups
      .findOneAndUpdate({ _id: id, _environmentId: environmentId }, partialUpdate(change), { returnDocument: 'after' })
      .lean()
      .exec();
  }

  async remove(tenant: TenantContext, id: string): Promise<DeletedNotificationGroupResponse> {
    const result = await this.references.deleteUnused('notification-group', tenant, this.groups, id);
    if (result === 'in_use') throw new NotificationGroupInUse(id);
    if (result === 'missing') throw new NotificationGroupNotFound(id);
    return { acknowledged: true, status: 'deleted' };
  }

  /** The first group of an environment refers to that of its parent. A deleted group is not created again. */
  @OnDomainEvent(EnvironmentReady)
  async ensureDefault({ owner, parentId }: EnvironmentReady): Promise<void> {
    const now = new Date();
    await this.groups.updateOne(
      { _environmentId: owner.environmentId, isDefault: true },
      {
        $setOnInsert: {
          _organizationId: owner.organizationId,
          name: DEFAULT_NAME,
          deleted: false,
          createdAt: now,
          updatedAt: now,
        },
      },
      { upsert: true, timestamps: false, ...INCLUDE_DELETED },
    );
    if (parentId !== undefined) await this.pointAtParent(owner.environmentId, parentId);
  }

  /** A separate write, which also updates groups older than this reference. */
  private async pointAtParent(environmentId: string, parentId: string): Promise<void> {
    const parent = await this.groups.one(
      { environmentId: parentId },
      { isDefault: true },
      { fields: ['_id'], withDeleted: true },
    );
    if (parent === undefined) return;
    await this.groups.updateOne(
      { _environmentId: environmentId, isDefault: true, _parentId: { $exists: false } },
      { $set: { _parentId: parent._id } },
      { timestamps: false, ...INCLUDE_DELETED },
    );
  }
}

/** What a definition says, with null for what it leaves out. */
function definitionOf({
  name,
  description = null,
  order = null,
}: CreateNotificationGroupDto): Required<CreateNotificationGroupDto> {
  return { name, description, order };
}
