import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { LRUCache } from 'lru-cache';
import { nearestName, type TenantContext } from '#libs/common';
import { NEWEST_FIRST, type TenantModel } from '#libs/persistence';
import { Workflow } from './workflow.schema.js';

/** These limits bound what a flood of unknown names costs: one read in five seconds, and a few milliseconds for each. */
const MAX_NAME_LENGTH = 64;
const MAX_IDENTIFIERS = 500;
const MAX_ENVIRONMENTS = 50;
const TTL_MS = 5_000;

/** The trigger identifier that a misspelled one was probably meant to be. */
@Injectable()
export class IdentifierSuggestions {
  private readonly identifiers = new LRUCache<string, readonly string[], TenantContext>({
    max: MAX_ENVIRONMENTS,
    ttl: TTL_MS,
    fetchMethod: (_environmentId, _stale, { context }) => this.read(context),
  });

  constructor(@InjectModel(Workflow.name) private readonly workflows: TenantModel<Workflow>) {}

  /** Among the 500 newest workflows. At most five seconds old. */
  async nearest(tenant: TenantContext, name: string): Promise<string | undefined> {
    if (name.length > MAX_NAME_LENGTH) return undefined;
    const known = await this.identifiers.fetch(tenant.environmentId, { context: tenant });
    return nearestName(name, known ?? []);
  }

  private async read(tenant: TenantContext): Promise<readonly string[]> {
    const rows = await this.workflows.list(
      tenant,
      {},
      { fields: ['identifier'], sort: NEWEST_FIRST, limit: MAX_IDENTIFIERS },
    );
    return rows.map(({ identifier }) => identifier);
  }
}
