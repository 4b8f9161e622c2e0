import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { TenantContext } from '#libs/common';
import type { TenantModel } from '#libs/persistence';
import { Integration } from './integration.schema.js';

/**
 * What deliveries learn of the provider of an integration. It is kept with the integration, so every process knows it within
 * seconds from a read that it makes anyway. None of it counts as a change by the team.
 */
@Injectable()
export class IntegrationHealth {
  constructor(@InjectModel(Integration.name) private readonly integrations: TenantModel<Integration>) {}

  /** Leaves the provider alone until then, or until a later time that is known already. */
  async quiet({ environmentId }: Pick<TenantContext, 'environmentId'>, id: string, until: Date): Promise<void> {
    await this.integrations.updateOne(
      { _id: id, _environmentId: environmentId },
      { $max: { quietUntil: until } },
      { timestamps: false },
    );
  }
}
