import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import type { TenantContext } from '#libs/common';
import { BrandingsService } from './brandings.service.js';
import { type OrganizationResponse, showOrganization } from './organization.response.js';
import { Organization } from './organization.schema.js';

type Owner = Pick<TenantContext, 'organizationId' | 'environmentId'>;

@Injectable()
export class OrganizationsService {
  constructor(
    @InjectModel(Organization.name) private readonly organizations: Model<Organization>,
    private readonly brandings: BrandingsService,
  ) {}

  ensureDefault(): Promise<Organization> {
    const now = new Date();
    const made = { name: 'Herald', _ownerId: new Types.ObjectId(), createdAt: now, updatedAt: now };
    // Not set by updates, so that a later start does not look like a change.
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

  async get(caller: Owner): Promise<OrganizationResponse> {
    const [row, branding] = await Promise.all([
      this.organizations.findById(caller.organizationId).orFail().lean().exec(),
      this.brandings.read(caller),
    ]);
    return showOrganization(row, branding);
  }

  async rename(caller: Owner, name: string): Promise<OrganizationResponse> {
    const [row, branding] = await Promise.all([
      this.organizations
        .findByIdAndUpdate(caller.organizationId, { $set: { name } }, { returnDocument: 'after' })
        .orFail()
        .lean()
        .exec(),
      this.brandings.read(caller),
    ]);
    return showOrganization(row, branding);
  }
}
