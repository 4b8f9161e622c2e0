import type { TenantContext } from '#libs/common';
import type { Integration, Outage } from './integration.schema.js';

/** Of an integration whose provider is down, or up again. */
interface HealthChange {
  readonly owner: Pick<TenantContext, 'organizationId' | 'environmentId'>;
  readonly integration: Integration;
  readonly outage: Outage;
}

/** The provider of an integration does not answer, so its messages pass it over or wait. */
export class IntegrationDown implements HealthChange {
  constructor(
    readonly owner: HealthChange['owner'],
    readonly integration: Integration,
    readonly outage: Outage,
  ) {}
}

/** The provider answers again. */
export class IntegrationUp implements HealthChange {
  constructor(
    readonly owner: HealthChange['owner'],
    readonly integration: Integration,
    /** The one that is over. */
    readonly outage: Outage,
    readonly at: Date,
  ) {}
}
