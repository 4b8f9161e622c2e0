import type { Claimable } from '../records/notification.record.js';

/** How much more work a lane can take. */
export interface LaneRoom {
  /** Free places altogether. */
  readonly free: number;
  /** Free places for one environment: no environment may take all of them. */
  freeFor(environmentId: string): number;
}

/**
 * Chooses from due work, oldest first, so that lanes are not overfilled and environments take turns.
 * @param due oldest first
 */
export function pickFair<T extends Pick<Claimable, '_environmentId' | 'lane'>>(
  due: readonly T[],
  rooms: ReadonlyMap<string, LaneRoom>,
): T[] {
  return [...rooms].flatMap(([lane, room]) =>
    pickFromLane(
      due.filter((item) => item.lane === lane),
      room,
    ),
  );
}

function pickFromLane<T extends Pick<Claimable, '_environmentId'>>(due: readonly T[], room: LaneRoom): T[] {
  const byEnvironment = new Map<string, T[]>();
  for (const item of due) {
    const id = item._environmentId.toHexString();
    const list = byEnvironment.get(id);
    if (list) list.push(item);
    else byEnvironment.set(id, [item]);
  }
  const queues = [...byEnvironment].map(([id, items]) => items.slice(0, Math.max(0, room.freeFor(id))));
  const picked: T[] = [];
  for (let round = 0; picked.length < room.free; round += 1) {
    const before = picked.length;
    for (const queue of queues) {
      const item = queue[round];
      if (item !== undefined && picked.length < room.free) picked.push(item);
    }
    if (picked.length === before) break;
  }
  return picked;
}
