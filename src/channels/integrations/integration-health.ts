import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { EventBus, type TenantContext } from '#libs/common';
import type { TenantModel } from '#libs/persistence';
import { IntegrationViews } from './integration-views.js';
import { Integration, type Outage } from './integration.schema.js';
import { IntegrationDown, IntegrationUp } from './integrations.events.js';

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
    private readonly events: EventBus,
  ) {}

  /** Leaves the provider alone until then, or until a later time that is known already. */
  async quiet(tenant: Environment, id: string, until: Date): Promise<void> {
    await this.change(tenant, id, {}, { $max: { quietUntil: until } });
  }

  /** @returns false if it is known already */
  async down(tenant: Environment, id: string, outage: Outage): Promise<boolean> {
    const row = await this.change(tenant, id, { outage: { $exists: false } }, { $set: { outage } });
    if (row === null) return false;
    await this.events.publish(new IntegrationDown(ownerOf(row), row, outage));
    return true;
  }

  /** Lets one message try whether the provider is up. @returns false for all but the first that asks */
  async probe(tenant: Environment, id: string, before: Outage, { until, probes }: Outage): Promise<boolean> {
    const $set = { 'outage.until': until, 'outage.probes': probes };
    return (await this.change(tenant, id, { 'outage.until': before.until }, { $set })) !== null;
  }

  /** @returns false if it is known already */
  async recovered(tenant: Environment, id: string, now: Date): Promise<boolean> {
    const row = await this.change(tenant, id, { outage: { $exists: true } }, { $unset: { outage: 1 } });
    if (row === null) return false;
    if (row.outage !== undefined) await this.events.publish(new IntegrationUp(ownerOf(row), row, row.outage, now));
    return true;
  }

  /** @returns the integration before the change; null if it does not meet the condition */
  private async change(
    { environmentId }: Environment,
    id: string,
    condition: object,
    update: object,
  ): Promise<Integration | null> {
    const filter = { ...condition, _id: id, _environmentId: environmentId };
    const row = await this.integrations
      .findOneAndUpdate(filter, update, { timestamps: false, returnDocument: 'before' })
      .lean()
      .exec();
    this.views.forget(environmentId);
    return row;
  }
}

function ownerOf({ _organizationId, _environmentId }: Integration): IntegrationDown['owner'] {
  return { organizationId: _organizationId.toHexString(), environmentId: _environmentId.toHexString() };
}
