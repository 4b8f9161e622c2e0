/** Free capacity in total and for one group. */
export interface Capacity {
  readonly free: number;
  freeFor(group: string): number;
}

/** Free capacity by lane. Queues whose records have no lane use the key `undefined`. */
export type LaneCapacity = ReadonlyMap<string | undefined, Capacity>;

/** Concurrency slots that groups share. A slow or busy group fills its own share only. */
export class FairSlots implements Capacity {
  private taken = 0;
  private readonly takenByGroup = new Map<string, number>();

  /**
   * @param size concurrency limit in total
   * @param sizePerGroup concurrency limit of one group
   */
  constructor(
    readonly size: number,
    private readonly sizePerGroup: number,
  ) {}

  get free(): number {
    return Math.max(0, this.size - this.taken);
  }

  get busy(): number {
    return this.taken;
  }

  freeFor(group: string): number {
    return Math.min(this.free, this.shareLeft(group));
  }

  /** What the group may take besides what it has, if nobody else needs it. */
  shareLeft(group: string): number {
    return this.sizePerGroup - (this.takenByGroup.get(group) ?? 0);
  }

  tryTake(group: string): boolean {
    if (this.freeFor(group) <= 0) return false;
    this.take(group);
    return true;
  }

  /** Takes a slot that a claim has counted on, even above the limit. */
  take(group: string): void {
    this.taken += 1;
    this.takenByGroup.set(group, (this.takenByGroup.get(group) ?? 0) + 1);
  }

  /** @returns whether the group had no free slot, so that work may have been waiting for this one */
  release(group: string): boolean {
    const wasFull = this.freeFor(group) <= 0;
    this.taken -= 1;
    const left = (this.takenByGroup.get(group) ?? 1) - 1;
    if (left > 0) this.takenByGroup.set(group, left);
    else this.takenByGroup.delete(group);
    return wasFull;
  }
}

export interface ClaimSlotsLimits {
  readonly size: number;
  readonly sizePerGroup: number;
  /** With fewer free slots, a claim costs more than it brings. */
  readonly worthClaiming: number;
}

/** Slots that claims fill in large portions: none counts as free until a claim is worth its cost. */
export class ClaimSlots implements Capacity {
  private readonly slots: FairSlots;
  private readonly worthClaiming: number;

  constructor({ size, sizePerGroup, worthClaiming }: ClaimSlotsLimits) {
    this.slots = new FairSlots(size, sizePerGroup);
    this.worthClaiming = worthClaiming;
  }

  get free(): number {
    return this.claimable(this.slots.free);
  }

  freeFor(group: string): number {
    return this.claimable(this.slots.freeFor(group));
  }

  /** Whether so many slots are free, whether or not a claim for them is worth its cost. */
  hasRoomFor(count: number): boolean {
    return this.slots.free >= count;
  }

  /** Takes a slot, even above the limits. */
  take(group: string): void {
    this.slots.take(group);
  }

  /** @returns whether a claim, for all or for this group, has become worth its cost */
  release(group: string): boolean {
    const before = { all: this.free, group: this.freeFor(group) };
    this.slots.release(group);
    return (before.all === 0 && this.free > 0) || (before.group === 0 && this.freeFor(group) > 0);
  }

  private claimable(free: number): number {
    return free >= this.worthClaiming ? free : 0;
  }
}

/**
 * Chooses from due records so that no lane exceeds its capacity and groups take turns within a lane.
 * @param due oldest first
 */
export function pickFair<T extends { readonly lane?: string }>(
  due: readonly T[],
  capacity: LaneCapacity,
  groupOf: (item: T) => string,
): T[] {
  return [...capacity].flatMap(([lane, room]) =>
    pickFromLane(
      due.filter((item) => item.lane === lane),
      room,
      groupOf,
    ),
  );
}

function pickFromLane<T>(due: readonly T[], capacity: Capacity, groupOf: (item: T) => string): T[] {
  const byGroup = new Map<string, T[]>();
  for (const item of due) {
    const group = groupOf(item);
    const items = byGroup.get(group);
    if (items) items.push(item);
    else byGroup.set(group, [item]);
  }
  const queues = [...byGroup].map(([group, items]) => items.slice(0, Math.max(0, capacity.freeFor(group))));
  const picked: T[] = [];
  for (let round = 0; picked.length < capacity.free; round += 1) {
    const before = picked.length;
    for (const queue of queues) {
      const item = queue[round];
      if (item !== undefined && picked.length < capacity.free) picked.push(item);
    }
    if (picked.length === before) break;
  }
  return picked;
}
