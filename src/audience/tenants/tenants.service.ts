import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { EventBus, type TenantContext } from '#libs/common';
import { Page, type PageQuery } from '#libs/http-kit';
import {
  isObjectId,
  NEWEST_FIRST,
  onDuplicateKey,
  ownedBy,
  partialUpdate,
  softDeleted,
  type TenantModel,
  toObjectId,
  withoutNullish,
} from '#libs/persistence';
import type { CreateTenantDto, UpdateTenantDto } from './tenant.dto.js';
import { showTenant, type TenantResponse } from './tenant.response.js';
import { Tenant } from './tenant.schema.js';
import { TenantAlreadyExists, TenantNotFound } from './tenants.errors.js';

/** Listeners remove the records that refer to the tenant. */
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
    const { rows, hasMore } = await this.tenants.page(tenant, {}, { ...query, sort: NEWEST_FIRST });
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
    const row = await this.tenants.one(tenant, { identifier });
    return row && showTenant(row);
  }

  async findByIdOrIdentifier(tenant: TenantContext, idOrIdentifier: string): Promise<TenantResponse | undefined> {
    if (isObjectId(idOrIdentifier)) {
      const row = await this.tenants.one(tenant, { _id: toObjectId(idOrIdentifier) });
      if (row !== undefined) return showTenant(row);
    }
    return this.findByIdentifier(tenant, idOrIdentifier);
  }

  async identifiersByIds(tenant: TenantContext, ids: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.tenants.byIds(tenant, ids, { fields: ['_id', 'identifier'] });
    return new Map([...rows].map(([id, { identifier }]) => [id, identifier]));
  }

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

  /** Also deletes its workflow overrides. */
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
