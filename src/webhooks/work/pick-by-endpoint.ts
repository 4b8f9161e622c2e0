/** How much more can be sent at once, altogether and to one endpoint. */
export interface EndpointRoom {
  readonly free: number;
  freeFor(endpointId: string): number;
}

/**
 * Chooses from what is due, oldest first, so that endpoints take turns and none gets more than its share.
 * @param due oldest first
 * @param endpointOf whose it is
 */
export function pickByEndpoint<T>(due: readonly T[], room: EndpointRoom, endpointOf: (item: T) => string): T[] {
  const byEndpoint = new Map<string, T[]>();
  for (const item of due) {
    const id = endpointOf(item);
    const list = byEndpoint.get(id);
    if (list) list.push(item);
    else byEndpoint.set(id, [item]);
  }
  const queues = [...byEndpoint].map(([id, items]) => items.slice(0, Math.max(0, room.freeFor(id))));
  const picked: T[] = [];
  for (let round = 0; queues.some(({ length }) => length > round); round += 1) {
    for (const queue of queues) {
      const item = queue[round];
      if (item !== undefined && picked.length < room.free) picked.push(item);
    }
  }
  return picked;
}
