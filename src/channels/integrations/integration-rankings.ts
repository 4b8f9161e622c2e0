import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Channel } from '#libs/channels';
import { NEWEST_FIRST, onDuplicateKey, ownedBy, toObjectId, type TenantModel, untilWritten } from '#libs/persistence';
import type { TenantContext } from '#libs/common';
import { Integration, IntegrationRanking } from './integration.schema.js';
import { TooMuchContention } from './integrations.errors.js';

/** The primary integration, if any, is the first. */
export interface Ranking {
  readonly order: readonly string[];
  readonly hasPrimary: boolean;
}

export interface Standing {
  readonly primary: boolean;
  /** 1 for the least preferred active integration, counting up; 0 if unranked. */
  readonly priority: number;
}

export const NO_RANKING: Ranking = { order: [], hasPrimary: false };
export const UNRANKED: Standing = { primary: false, priority: 0 };

/** Below the primary one; without one, at the top and itself primary unless it has conditions. */
export function withCreated(ranking: Ranking, id: string, hasConditions: boolean): Ranking {
  const below = withActivated(ranking, id);
  return below.hasPrimary ? below : { order: below.order, hasPrimary: !hasConditions };
}

/** Below the primary one, otherwise at the top. It never becomes primary. */
export function withActivated(ranking: Ranking, id: string): Ranking {
  const { order, hasPrimary } = without(ranking, id);
  const above = hasPrimary ? 1 : 0;
  return { order: [...order.slice(0, above), id, ...order.slice(above)], hasPrimary };
}

/** No other integration becomes primary in its place. */
export function without(ranking: Ranking, id: string): Ranking {
  return {
    order: ranking.order.filter((other) => other !== id),
    hasPrimary: ranking.hasPrimary && ranking.order[0] !== id,
  };
}

export function withPrimary(ranking: Ranking, id: string): Ranking {
  return { order: [id, ...without(ranking, id).order], hasPrimary: true };
}

/** It keeps its position but cannot be primary. */
export function withConditions(ranking: Ranking, id: string): Ranking {
  return { order: ranking.order, hasPrimary: ranking.hasPrimary && ranking.order[0] !== id };
}

/**
 * Repairs what a crash between the writes of an integration and its ranking left: inactive ids are removed,
 * unranked ones come last.
 * @param active ids in any stable order
 */
export function among(ranking: Ranking, active: readonly string[]): Ranking {
  const alive = new Set(active);
  const known = new Set(ranking.order);
  const [first] = ranking.order;
  return {
    order: [...ranking.order.filter((id) => alive.has(id)), ...active.filter((id) => !known.has(id))],
    hasPrimary: ranking.hasPrimary && first !== undefined && alive.has(first),
  };
}

export function standingOf({ order, hasPrimary }: Ranking, id: string): Standing {
  const index = order.indexOf(id);
  return index === -1 ? UNRANKED : { primary: hasPrimary && index === 0, priority: order.length - index };
}

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
