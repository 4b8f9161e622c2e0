import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { TenantContext } from '#libs/common';
import type { TenantModel } from '#libs/persistence';
import { IntegrationViews } from './integration-views.js';
import { Integration, type Outage } from './integration.schema.js';

type Environment = Pick<TenantContext, 'environmentId'>;

/**
 * What deliveries learn of the provider of an integration. It is kept with the integration, so every process knows it within
 * seconds from a read that it makes anyway. None of it counts as a change by the team.
 */
@Injectable()
export class IntegrationHealth {
  constructor(
    @InjectModel(Integration.name) private readonly integrations: TenantModel<Integration>,
    private readonly views: IntegrationViews,
  ) {}

  /** Leaves the provider alone until then, or until a later time that is known already. */
  async quiet(tenant: Environment, id: string, until: Date): Promise<void> {
    await this.change(tenant, id, {}, { $max: { quietUntil: until } });
  }

  /** @returns false if it is known already */
  down(tenant: Environment, id: string, outage: Outage): Promise<boolean> {
    return this.change(tenant, id, { outage: { $exists: false } }, { $set: { outage } });
  }

  /** Lets one message try whether the provider is up. @returns false for all but the first that asks */
  probe(tenant: Environment, id: string, before: Outage, { until, probes }: Outage): Promise<boolean> {
    const $set = { 'outage.until': until, 'outage.probes': probes };
    return this.change(tenant, id, { 'outage.until': before.until }, { $set });
  }

  /** @returns false if it is known already */
  recovered(tenant: Environment, id: string): Promise<boolean> {
    return this.change(tenant, id, { outage: { $exists: true } }, { $unset: { outage: 1 } });
  }

  private async change(
    { environmentId }: Environment,
    id: string,
    condition: object,
    update: object,
  ): Promise<boolean> {
    const filter = { ...condition, _id: id, _environmentId: environmentId };
    const { matchedCount } = await this.integrations.updateOne(filter, update, { timestamps: false });
    this.views.forget(environmentId);
    return matchedCount === 1;
  }
}
