import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { onDuplicateKey, ownedBy, partialUpdate, ReadCache, type TenantModel } from '#libs/persistence';
import type { TenantContext } from '#libs/common';
import type { UpdateBrandingDto } from './organization.dto.js';
import { type Branding, EnvironmentBranding, Organization } from './organization.schema.js';

type Owner = Pick<TenantContext, 'organizationId' | 'environmentId'>;

const MAX_CACHED = 1_000;
/** Maximum delay before changes by another process apply. */
const CACHE_MS = 1_000;

@Injectable()
export class BrandingsService {
  private readonly cache = new ReadCache<Branding>({ max: MAX_CACHED, ttlMs: CACHE_MS });

  constructor(
    @InjectModel(EnvironmentBranding.name) private readonly brandings: TenantModel<EnvironmentBranding>,
    @InjectModel(Organization.name) private readonly organizations: Model<Organization>,
  ) {}

  /** Cached, because every notification needs it. */
  of(owner: Owner): Promise<Branding> {
    return this.cache.get(owner.environmentId, () => this.read(owner));
  }

  async read({ organizationId, environmentId }: Owner): Promise<Branding> {
    const own = await this.brandings.findOne({ _environmentId: environmentId }).lean().exec();
    return own?.branding ?? this.ofOrganization(organizationId);
  }

  /** Absent fields are kept, null removes a value. */
  async update(tenant: TenantContext, dto: UpdateBrandingDto): Promise<Branding> {
    await this.ensure(tenant);
    const changes = Object.fromEntries(
      Object.entries(dto).map(([key, value]) => [`branding.${key}`, value as unknown]),
    );
    const row = await this.brandings
      .findOneAndUpdate({ _environmentId: tenant.environmentId }, partialUpdate(changes), { returnDocument: 'after' })
      .orFail()
      .lean()
      .exec();
    this.cache.forget(tenant.environmentId);
    return row.branding ?? {};
  }

  /** Starts with the branding that applied before. */
  private async ensure(tenant: TenantContext): Promise<void> {
    if ((await this.brandings.exists({ _environmentId: tenant.environmentId })) !== null) return;
    const branding = await this.ofOrganization(tenant.organizationId);
    await this.brandings.create({ ...ownedBy(tenant), branding }).catch(onDuplicateKey(() => undefined));
  }

  private async ofOrganization(organizationId: string): Promise<Branding> {
    const row = await this.organizations.findById(organizationId, { branding: 1 }).lean().exec();
    return row?.branding ?? {};
  }
}
