import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Channel } from '#libs/channels';
import { NEWEST_FIRST, onDuplicateKey, ownedBy, toObjectId, type TenantModel, untilWritten } from '#libs/persistence';
import type { TenantContext } from '#libs/common';
import { Integration, IntegrationRanking } from './integration.schema.js';
import { TooMuchContention } from './integrations.errors.js';
import { among, NO_RANKING, type Ranking } from './ranking.js';

const RANKED_CHANNELS: readonly Channel[] = ['email', 'sms'];

export function isRanked(channel: Channel): boolean {
  return RANKED_CHANNELS.includes(channel);
}

/** Concurrent changes are applied one after the other. */
@Injectable()
export class IntegrationRankings {
  constructor(
    @InjectModel(IntegrationRanking.name) private readonly rankings: TenantModel<IntegrationRanking>,
    @InjectModel(Integration.name) private readonly integrations: TenantModel<Integration>,
  ) {}

  /** May name integrations that no longer exist: see `among`. */
  async of(environmentId: string): Promise<Map<Channel, Ranking>> {
    const rows = await this.rankings.list({ environmentId }, {});
    return new Map(rows.map((row) => [row.channel, toRanking(row)]));
  }

  /** A channel without a ranking is unchanged. */
  async change(tenant: TenantContext, channel: Channel, apply: (ranking: Ranking) => Ranking): Promise<void> {
    if (!isRanked(channel)) return;
    await untilWritten(
      () => this.attempt(tenant, channel, apply),
      () => new TooMuchContention(),
    );
  }

  private async attempt(
    tenant: TenantContext,
    channel: Channel,
    apply: (ranking: Ranking) => Ranking,
  ): Promise<true | undefined> {
    const row = await this.rankings.one(tenant, { channel });
    // Read after the ranking: everything it names was stored before it.
    const where = { channel, active: true };
    const active = await this.integrations.list(tenant, where, { fields: ['_id'], sort: NEWEST_FIRST });
    const ids = active.map(({ _id }) => _id.toHexString());
    const next = apply(among(row === undefined ? NO_RANKING : toRanking(row), ids));
    const state = { order: next.order.map(toObjectId), hasPrimary: next.hasPrimary };
    if (row === undefined) return this.insert(tenant, channel, state);
    const { matchedCount } = await this.rankings.updateOne(
      { _environmentId: tenant.environmentId, channel, revision: row.revision },
      { $set: state, $inc: { revision: 1 } },
    );
    return matchedCount === 1 ? true : undefined;
  }

  private insert(tenant: TenantContext, channel: Channel, state: object): Promise<true | undefined> {
    return this.rankings.create({ ...ownedBy(tenant), channel, revision: 1, ...state }).then(
      () => true,
      onDuplicateKey(() => undefined),
    );
  }
}

function toRanking(row: IntegrationRanking): Ranking {
  return { order: row.order.map((id) => id.toHexString()), hasPrimary: row.hasPrimary };
}
