import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { EventBus, type TenantContext } from '#libs/common';
import { Page, type PageQuery } from '#libs/http-kit';
import {
  isObjectId,
  onDuplicateKey,
  ownedBy,
  partialUpdate,
  readPage,
  softDeleted,
  type TenantModel,
  withoutNullish,
} from '#libs/persistence';
import type { CreateTenantDto, UpdateTenantDto } from './tenant.dto.js';
import { showTenant, type TenantResponse } from './tenant.response.js';
import { Tenant } from './tenant.schema.js';
import { TenantAlreadyExists, TenantNotFound } from './tenants.errors.js';

/** A tenant was deleted: listeners remove the records that refer to it. */
export class TenantDeleted {
  constructor(
    readonly tenant: TenantContext,
    readonly tenantId: string,
  ) {}
}

@Injectable()
export class TenantsService {
  constructor(
    @InjectModel(Tenant.name) private readonly tenants: TenantModel<Tenant>,
    private readonly events: EventBus,
  ) {}

  async create(tenant: TenantContext, dto: CreateTenantDto): Promise<TenantResponse> {
    const row = await this.tenants
      .create({ ...ownedBy(tenant), ...withoutNullish(dto) })
      .catch(refuseTaken(dto.identifier));
    return showTenant(row.toObject());
  }

  async list(tenant: TenantContext, query: PageQuery): Promise<Page<TenantResponse>> {
    const newestFirst = this.tenants.find({ _environmentId: tenant.environmentId }).sort({ _id: -1 }).lean();
    const { rows, hasMore } = await readPage<Tenant>(newestFirst, query);
    return new Page(
      rows.map((row) => showTenant(row)),
      query.page,
      query.limit,
      hasMore,
    );
  }

  async get(tenant: TenantContext, identifier: string): Promise<TenantResponse> {
    const found = await this.findByIdentifier(tenant, identifier);
    if (found === undefined) throw new TenantNotFound(identifier);
    return found;
  }

  async findByIdentifier(tenant: TenantContext, identifier: string): Promise<TenantResponse | undefined> {
    const row = await this.tenants.findOne({ _environmentId: tenant.environmentId, identifier }).lean().exec();
    return row === null ? undefined : showTenant(row);
  }

  async findByIdOrIdentifier(tenant: TenantContext, idOrIdentifier: string): Promise<TenantResponse | undefined> {
    if (isObjectId(idOrIdentifier)) {
      const row = await this.tenants
        .findOne({ _environmentId: tenant.environmentId, _id: idOrIdentifier })
        .lean()
        .exec();
      if (row !== null) return showTenant(row);
    }
    return this.findByIdentifier(tenant, idOrIdentifier);
  }

  /** @throws {TenantNotFound} @throws {TenantAlreadyExists} when the new identifier is taken */
  async update(tenant: TenantContext, identifier: string, dto: UpdateTenantDto): Promise<TenantResponse> {
    const row = await this.tenants
      .findOneAndUpdate(
        { _environmentId: tenant.environmentId, identifier },
        partialUpdate(dto, ['identifier', 'name']),
        { returnDocument: 'after' },
      )
      .lean()
      .exec()
      .catch(refuseTaken(dto.identifier ?? identifier));
    if (row === null) throw new TenantNotFound(identifier);
    return showTenant(row);
  }

  /** Deletes a tenant; its workflow overrides go with it. @throws {TenantNotFound} */
  async remove(tenant: TenantContext, identifier: string): Promise<void> {
    const row = await this.tenants
      .findOneAndUpdate({ _environmentId: tenant.environmentId, identifier }, softDeleted(tenant.apiKeyId, new Date()))
      .lean()
      .exec();
    if (row === null) throw new TenantNotFound(identifier);
    await this.events.publish(new TenantDeleted(tenant, row._id.toHexString()));
  }
}

function refuseTaken(identifier: string): (error: unknown) => never {
  return onDuplicateKey(() => {
    throw new TenantAlreadyExists(identifier);
  });
}
