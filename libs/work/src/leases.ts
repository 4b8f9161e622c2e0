import type { Clock } from '#libs/common';
import { Batcher } from './batcher.js';
import type { Claimable } from './work-queue.js';

export interface Leased {
  readonly record: Claimable;
  readonly lease: string;
}

/** Another worker has claimed the record and does the remaining work. */
export class LeaseLost extends Error {
  constructor({ record }: Leased) {
    super(`Another worker has claimed record ${record._id.toHexString()}.`);
    this.name = 'LeaseLost';
  }
}

interface LeaseStore {
  readonly clock: Clock;
  readonly leaseMs: number;
  renew<H extends Pick<Claimable, '_id' | 'lease'>>(items: readonly H[]): Promise<Set<H>>;
}

const BATCH = 1_000;

/**
 * Knows which leases this process certainly holds. A process that stood still (stopped, swapped out, busy for long) does
 * not notice that its leases have ended, so work that cannot be undone asks here before it begins. The answer costs
 * nothing while the lease is fresh; otherwise all who ask at the same time share one write.
 */
export class Leases {
  private readonly confirmed = new WeakMap<Claimable, number>();
  private readonly batcher = new Batcher<Leased, boolean>((held) => this.renew(held), { size: BATCH, concurrency: 2 });

  /** @param freshMs how long a lease that the store has confirmed is not checked again */
  constructor(
    private readonly queue: LeaseStore,
    private readonly freshMs = queue.leaseMs / 3,
  ) {}

  /** Records leases that the store has just granted. */
  began(records: readonly Claimable[]): void {
    for (const record of records) {
      if (record.wakeAt !== undefined) this.confirmed.set(record, record.wakeAt.getTime() - this.queue.leaseMs);
    }
  }

  /** Extends the leases of long work. */
  async lengthen(records: readonly Claimable[]): Promise<void> {
    const at = this.queue.clock.now().getTime();
    const held = await this.queue.renew(records);
    for (const record of records) if (held.has(record)) this.confirmed.set(record, at);
  }

  async holds(held: Leased): Promise<boolean> {
    return this.isFresh(held) || this.batcher.submit(held);
  }

  /** @throws {LeaseLost} */
  async assertHeld(held: Leased): Promise<void> {
    if (!(await this.holds(held))) throw new LeaseLost(held);
  }

  /** The items that another worker has claimed. */
  async lostAmong<L extends Leased>(items: readonly L[]): Promise<Set<L>> {
    const stale = items.filter((item) => !this.isFresh(item));
    if (stale.length === 0) return new Set();
    const held = await this.renew(stale);
    return new Set(stale.filter((_item, index) => held[index] !== true));
  }

  private isFresh({ record }: Leased): boolean {
    const at = this.confirmed.get(record);
    if (at === undefined) return false;
    const age = this.queue.clock.now().getTime() - at;
    // After the clock was set back, the age is unknown.
    return age >= 0 && age < this.freshMs;
  }

  private async renew(items: readonly Leased[]): Promise<boolean[]> {
    const at = this.queue.clock.now().getTime();
    const asked = items.map(({ record, lease }) => ({ ...record, lease }));
    const held = await this.queue.renew(asked);
    return items.map(({ record }, place) => {
      const one = asked[place];
      const isHeld = one !== undefined && held.has(one);
      if (isHeld) this.confirmed.set(record, at);
      return isHeld;
    });
  }
}
