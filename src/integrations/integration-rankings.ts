import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Channel } from '#libs/channels';
import { isDuplicateKey, ownedBy, toObjectId, type TenantModel } from '#libs/persistence';
import type { TenantContext } from '#libs/common';
import { Integration } from './integration.schema.js';
import { IntegrationRanking } from './integration-ranking.schema.js';
import { untilWritten } from './optimistic.js';
import { among, NO_RANKING, type Ranking } from './ranking.js';

/** The channels whose integrations have a primary one and an order. */
const RANKED_CHANNELS: readonly Channel[] = ['email', 'sms'];

export function isRanked(channel: Channel): boolean {
  return RANKED_CHANNELS.includes(channel);
}

/** Reads and changes the rankings of an environment; changes at the same moment follow one another. */
@Injectable()
export class IntegrationRankings {
  constructor(
    @InjectModel(IntegrationRanking.name) private readonly rankings: TenantModel<IntegrationRanking>,
    @InjectModel(Integration.name) private readonly integrations: TenantModel<Integration>,
  ) {}

  /** The stored rankings by channel. What they name may be gone: see `among`. */
  async of(environmentId: string): Promise<Map<Channel, Ranking>> {
    const rows = await this.rankings.find({ _environmentId: environmentId }).lean().exec();
    return new Map(rows.map((row) => [row.channel, toRanking(row)]));
  }

  /** Applies a change to the ranking of a channel; a channel without one is left alone. */
  async change(tenant: TenantContext, channel: Channel, apply: (ranking: Ranking) => Ranking): Promise<void> {
    if (!isRanked(channel)) return;
    await untilWritten(() => this.attempt(tenant, channel, apply));
  }

  private async attempt(
    tenant: TenantContext,
    channel: Channel,
    apply: (ranking: Ranking) => Ranking,
  ): Promise<true | undefined> {
    const scope = { _environmentId: tenant.environmentId, channel };
    const row = await this.rankings.findOne(scope).lean().exec();
    // Read after the ranking: whatever the ranking names was stored before it, and is seen here if it still is active.
    const active = await this.integrations
      .find({ ...scope, active: true }, { _id: 1 })
      .sort({ _id: -1 })
      .lean()
      .exec();
    const ids = active.map(({ _id }) => _id.toHexString());
    const next = apply(among(row === null ? NO_RANKING : toRanking(row), ids));
    const state = { order: next.order.map(toObjectId), hasPrimary: next.hasPrimary };
    if (row === null) return this.insert(tenant, channel, state);
    const { matchedCount } = await this.rankings.updateOne(
      { ...scope, revision: row.revision },
      { $set: state, $inc: { revision: 1 } },
    );
    return matchedCount === 1 ? true : undefined;
  }

  private async insert(tenant: TenantContext, channel: Channel, state: object): Promise<true | undefined> {
    try {
      await this.rankings.create({ ...ownedBy(tenant), channel, revision: 1, ...state });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return undefined;
      throw error;
    }
  }
}

function toRanking(row: IntegrationRanking): Ranking {
  return { order: row.order.map((id) => id.toHexString()), hasPrimary: row.hasPrimary };
}
