import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { LRUCache } from 'lru-cache';
import type { Model } from 'mongoose';
import { isDuplicateKey, ownedBy, partialUpdate, type TenantModel } from '#libs/persistence';
import type { TenantContext } from '#libs/common';
import type { UpdateBrandingDto } from './organization.dto.js';
import { EnvironmentBranding } from './environment-branding.schema.js';
import { type Branding, Organization } from './organization.schema.js';

type Owner = Pick<TenantContext, 'organizationId' | 'environmentId'>;

const MAX_CACHED = 1_000;
/** How long a change made by another process may go unnoticed. */
const TTL_MS = 1_000;

/** Brandings belong to environments: a key of one cannot change how the messages of another look. */
@Injectable()
export class BrandingsService {
  private readonly known = new LRUCache<string, Branding>({ max: MAX_CACHED, ttl: TTL_MS });

  constructor(
    @InjectModel(EnvironmentBranding.name) private readonly brandings: TenantModel<EnvironmentBranding>,
    @InjectModel(Organization.name) private readonly organizations: Model<Organization>,
  ) {}

  /** What templates see as `branding`. Kept at hand for a second: every notification asks for it. */
  async of(owner: Owner): Promise<Branding> {
    const known = this.known.get(owner.environmentId);
    if (known !== undefined) return known;
    const branding = await this.read(owner);
    this.known.set(owner.environmentId, branding);
    return branding;
  }

  /** As it is now. */
  async read({ organizationId, environmentId }: Owner): Promise<Branding> {
    const own = await this.brandings.findOne({ _environmentId: environmentId }).lean().exec();
    return own?.branding ?? this.ofOrganization(organizationId);
  }

  /** What is absent stays, null unsets. @returns what holds now */
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
    this.known.delete(tenant.environmentId);
    return row.branding ?? {};
  }

  /** The environment's own record, which begins as what held before. */
  private async ensure(tenant: TenantContext): Promise<void> {
    if ((await this.brandings.exists({ _environmentId: tenant.environmentId })) !== null) return;
    const branding = await this.ofOrganization(tenant.organizationId);
    try {
      await this.brandings.create({ ...ownedBy(tenant), branding });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }

  private async ofOrganization(organizationId: string): Promise<Branding> {
    const row = await this.organizations.findById(organizationId, { branding: 1 }).lean().exec();
    return row?.branding ?? {};
  }
}
