import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { LRUCache } from 'lru-cache';
import { type Model, Types } from 'mongoose';
import { partialUpdate } from '#libs/persistence';
import type { TenantContext } from '#libs/tenancy';
import { OrganizationResponse } from './dto/organization.response.js';
import type { UpdateBrandingDto } from './dto/update-branding.dto.js';
import { type Branding, Organization } from './organization.schema.js';

type Caller = Pick<TenantContext, 'organizationId'>;

const MAX_CACHED = 1_000;
/** How long a change made by another process may go unnoticed. */
const TTL_MS = 1_000;

@Injectable()
export class OrganizationsService {
  private readonly brandings = new LRUCache<string, Branding>({ max: MAX_CACHED, ttl: TTL_MS });

  constructor(@InjectModel(Organization.name) private readonly organizations: Model<Organization>) {}

  /** The organization that a fresh installation starts with, made if there is none. */
  ensureDefault(): Promise<Organization> {
    const now = new Date();
    const made = { name: 'Herald', _ownerId: new Types.ObjectId(), createdAt: now, updatedAt: now };
    // Dates are set only when it is made, so that a later start does not look like a change.
    return this.organizations
      .findOneAndUpdate(
        { isDefault: true },
        { $setOnInsert: made },
        { upsert: true, returnDocument: 'after', timestamps: false },
      )
      .lean()
      .exec();
  }

  async create(name: string): Promise<Organization> {
    const organization = await this.organizations.create({ name, _ownerId: new Types.ObjectId() });
    return organization.toObject();
  }

  find(organizationId: string): Promise<Organization | null> {
    return this.organizations.findById(organizationId).lean().exec();
  }

  /** The caller's own organization; a key belongs to exactly one. */
  async get({ organizationId }: Caller): Promise<OrganizationResponse> {
    const row = await this.organizations.findById(organizationId).orFail().lean().exec();
    return OrganizationResponse.from(row);
  }

  async rename(caller: Caller, name: string): Promise<OrganizationResponse> {
    return OrganizationResponse.from(await this.update(caller, { $set: { name } }));
  }

  /** What is absent stays, null unsets. @returns what holds now */
  async updateBranding(caller: Caller, dto: UpdateBrandingDto): Promise<Branding> {
    const changes = Object.fromEntries(
      Object.entries(dto).map(([key, value]) => [`branding.${key}`, value as unknown]),
    );
    const { branding } = await this.update(caller, partialUpdate(changes));
    this.brandings.delete(caller.organizationId);
    return branding ?? {};
  }

  /** What templates see as `branding`. Kept at hand for a second: every notification asks for it. */
  async brandingOf(organizationId: string): Promise<Branding> {
    const known = this.brandings.get(organizationId);
    if (known !== undefined) return known;
    const row = await this.organizations.findById(organizationId, { branding: 1 }).lean().exec();
    const branding = row?.branding ?? {};
    this.brandings.set(organizationId, branding);
    return branding;
  }

  private update({ organizationId }: Caller, update: object): Promise<Organization> {
    return this.organizations
      .findByIdAndUpdate(organizationId, update, { returnDocument: 'after' })
      .orFail()
      .lean()
      .exec();
  }
}
