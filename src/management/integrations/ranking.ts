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
