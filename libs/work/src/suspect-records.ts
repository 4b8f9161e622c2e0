import type { mongo } from 'mongoose';
import { nanoid } from 'nanoid';
import type { Clock } from '#libs/common';
import { type KeyFields, keysOf } from './record-key.js';
import { type Evidence, SuspectRules } from './suspects.js';
import type { Claimable } from './work-queue.js';

/** Suspects that one query reads, so that workers who look at the same time find others. */
const READ = 2_000;
/** Others may have parked suspects: how often a busy worker looks. */
const LOOK_MS = 1_000;
/**
 * The lease of a trial is short, so that a loss tells soon what it tells. It is longer than the third of a lease for which
 * `Leases` does not ask again.
 */
const LEASE = { ms: 3_000, share: 0.4 };

export const SUSPICION_FIELDS = { lease: 1, takenUp: 1, suspectGroup: 1 } as const;

/** What there is to know of a suspect, or of any record before it is claimed. */
export type SuspectHead<T> = Partial<T> & Pick<Claimable, '_id' | 'lease' | 'takenUp' | 'suspectGroup'>;

export interface SuspectRecordsOptions<T extends Claimable> {
  readonly collection: () => mongo.Collection<T>;
  readonly shardKey: KeyFields<SuspectHead<T>>;
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly maxLosses: number;
  readonly countClaimsIn?: keyof T & string;
}

/** The suspects of a queue in the store. Those that wait have no lease, and workers find them by their `suspectGroup`. */
export class SuspectRecords<T extends Claimable> {
  readonly rules: SuspectRules;
  readonly leaseMs: number;
  private readonly onTrial = new Set<string>();
  private isKnown = true;
  private lookedAt = 0;

  constructor(private readonly options: SuspectRecordsOptions<T>) {
    const { leaseMs, maxLosses } = options;
    this.rules = new SuspectRules(maxLosses);
    this.leaseMs = Math.max(Math.min(leaseMs, LEASE.ms), leaseMs * LEASE.share);
  }

  leaseEnd(): Date {
    return new Date(this.now() + this.leaseMs);
  }

  isOnTrial({ _id }: Pick<Claimable, '_id'>): boolean {
    return this.onTrial.has(_id.toHexString());
  }

  /** There are suspects in the store. */
  notice(): void {
    this.isKnown = true;
  }

  /** @param due records, with those among them that a lost worker has left behind */
  sort<R extends SuspectHead<T>>(due: readonly R[]): { clean: R[]; parked: R[]; hopeless: R[] } {
    const sorted = { clean: [] as R[], parked: [] as R[], hopeless: [] as R[] };
    for (const row of due) {
      if (row.lease === undefined) (row.suspectGroup === undefined ? sorted.clean : sorted.parked).push(row);
      else (this.rules.isHopeless(this.rules.after(row)) ? sorted.hopeless : sorted.parked).push(row);
    }
    return sorted;
  }

  /** Takes suspects out of the way of other work until their trial, and notes what the loss of their worker tells. */
  async park(due: readonly SuspectHead<T>[], now: Date): Promise<void> {
    if (due.length === 0) return;
    this.notice();
    const wakeAt = new Date(now.getTime() + this.options.leaseMs);
    const waiting = due.filter(({ lease }) => lease === undefined);
    if (waiting.length > 0)
      await this.update({ ...this.waiting(waiting), wakeAt: { $lte: now } }, { $set: { wakeAt } });
    for (const [{ takenUp, suspectGroup }, left] of this.byEvidence(due.filter(({ lease }) => lease !== undefined))) {
      await this.update(
        { ...this.keys(left), lease: { $exists: true }, wakeAt: { $lte: now } },
        { $set: { wakeAt, takenUp, suspectGroup }, $unset: { lease: 1 } },
      );
    }
  }

  /**
   * Those that no worker tries, with the largest groups first.
   * @param isBusy the worker has work: it looks from time to time, even if it knows of no suspects
   */
  async find(isBusy: boolean): Promise<SuspectHead<T>[]> {
    const now = this.now();
    if (!this.isKnown && !(isBusy && Math.abs(now - this.lookedAt) >= LOOK_MS)) return [];
    this.lookedAt = now;
    const fields = Object.fromEntries(this.options.shardKey.map((field) => [field, 1]));
    const heads = await this.collection
      .find({
        suspectGroup: { $gte: 1 },
        lease: { $exists: false },
        wakeAt: { $exists: true },
      } as unknown as mongo.Filter<T>)
      .sort({ suspectGroup: -1, wakeAt: 1 })
      .limit(READ)
      .batchSize(READ)
      .project<SuspectHead<T>>({ ...SUSPICION_FIELDS, ...fields })
      .toArray();
    this.isKnown = heads.length > 0;
    return heads;
  }

  /** Claims suspects for a trial. @param size with how many suspects they are tried */
  async claim(heads: readonly SuspectHead<T>[], size: number): Promise<T[]> {
    const lease = nanoid(16);
    const { countClaimsIn } = this.options;
    const claimed = await this.update(this.waiting(heads), {
      $set: { lease, wakeAt: this.leaseEnd(), suspectGroup: size },
      ...(countClaimsIn !== undefined && { $inc: { [countClaimsIn]: 1 } }),
    });
    if (claimed === 0) return [];
    const filter = { ...this.keys(heads), lease } as unknown as mongo.Filter<T>;
    const records = (await this.collection
      .find(filter)
      .batchSize(heads.length + 1)
      .toArray()) as unknown as T[];
    for (const { _id } of records) this.onTrial.add(_id.toHexString());
    return records;
  }

  /** A trial has ended, and this process lives. If another one has taken up what it tried alone, that was no loss. */
  async release(tried: readonly T[]): Promise<void> {
    for (const { _id } of tried) this.onTrial.delete(_id.toHexString());
    const [record] = tried;
    if (record?.suspectGroup !== 1) return;
    const { takenUp = 0 } = record;
    await this.update({ ...this.keys(tried), takenUp: { $gt: takenUp } }, { $set: { takenUp } });
  }

  private byEvidence(left: readonly SuspectHead<T>[]): Iterable<readonly [Evidence, SuspectHead<T>[]]> {
    const groups = new Map<string, readonly [Evidence, SuspectHead<T>[]]>();
    for (const head of left) {
      const evidence = this.rules.after(head);
      const key = `${evidence.takenUp} ${evidence.suspectGroup}`;
      const group = groups.get(key);
      if (group) group[1].push(head);
      else groups.set(key, [evidence, [head]]);
    }
    return groups.values();
  }

  private waiting(heads: readonly SuspectHead<T>[]): object {
    const unheld = { lease: { $exists: false }, suspectGroup: { $exists: true }, wakeAt: { $exists: true } };
    return { ...this.keys(heads), ...unheld };
  }

  private keys(heads: readonly SuspectHead<T>[]): object {
    return keysOf(heads, this.options.shardKey);
  }

  private now(): number {
    return this.options.clock.now().getTime();
  }

  private get collection(): mongo.Collection<T> {
    return this.options.collection();
  }

  private async update(filter: object, update: object): Promise<number> {
    return (await this.collection.updateMany(filter, update)).matchedCount;
  }
}
