/** Order of preference among the active integrations of one channel; the primary one, if any, is the first. */
export interface Ranking {
  readonly order: readonly string[];
  readonly hasPrimary: boolean;
}

export interface Standing {
  readonly primary: boolean;
  /** 1 for the least preferred active integration, counting up; 0 outside the order. */
  readonly priority: number;
}

export const NO_RANKING: Ranking = { order: [], hasPrimary: false };
export const UNRANKED: Standing = { primary: false, priority: 0 };

/**
 * Adds a new active integration: below the primary one if there is one, otherwise at the top and primary itself, unless it
 * has conditions.
 */
export function withCreated(ranking: Ranking, id: string, hasConditions: boolean): Ranking {
  const below = withActivated(ranking, id);
  return below.hasPrimary ? below : { order: below.order, hasPrimary: !hasConditions };
}

/** Adds an integration that was activated later: below the primary one, otherwise at the top. It never becomes primary. */
export function withActivated(ranking: Ranking, id: string): Ranking {
  const { order, hasPrimary } = without(ranking, id);
  const above = hasPrimary ? 1 : 0;
  return { order: [...order.slice(0, above), id, ...order.slice(above)], hasPrimary };
}

/** Removes an integration that was deactivated or deleted. No other becomes primary in its place. */
export function without(ranking: Ranking, id: string): Ranking {
  return {
    order: ranking.order.filter((other) => other !== id),
    hasPrimary: ranking.hasPrimary && ranking.order[0] !== id,
  };
}

export function withPrimary(ranking: Ranking, id: string): Ranking {
  return { order: [id, ...without(ranking, id).order], hasPrimary: true };
}

/** An integration that was given conditions keeps its position but cannot be primary. */
export function withConditions(ranking: Ranking, id: string): Ranking {
  return { order: ranking.order, hasPrimary: ranking.hasPrimary && ranking.order[0] !== id };
}

/**
 * The ranking of the integrations that are active now. It repairs what a crash between the writes of an integration and
 * of its ranking left behind: ids that are no longer active are removed, active ones without a rank come last.
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
