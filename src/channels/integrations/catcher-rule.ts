import { Injectable } from '@nestjs/common';
import { isCatcher } from '#libs/channels';
import type { TenantContext } from '#libs/common';
import { ValidationFailed } from '#libs/http-kit';
import { EnvironmentsService } from '../../platform/environments/index.js';
import type { IntegrationDraft } from './integration-draft.js';
import { CatcherInProduction } from './integrations.errors.js';

/** A catcher takes every message of its channel: of all tenants, and never in production. */
@Injectable()
export class CatcherRule {
  constructor(private readonly environments: EnvironmentsService) {}

  /** @throws {ValidationFailed} @throws {CatcherInProduction} */
  async assertAllowed(tenant: TenantContext, { providerId, active, conditions }: IntegrationDraft): Promise<void> {
    if (!isCatcher(providerId)) return;
    if (conditions.length > 0)
      throw new ValidationFailed(['conditions must be empty: a catcher takes the messages of all tenants']);
    if (active && (await this.environments.isProduction(tenant))) throw new CatcherInProduction();
  }
}
