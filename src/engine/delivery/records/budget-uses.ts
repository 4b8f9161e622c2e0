import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { type Connection, type mongo, Schema, type Types } from 'mongoose';
import { FailPoint } from '#libs/common';
import { isDuplicateKey, rawCollection, shardBy, shared } from '#libs/persistence';
import {
  type AskedMessage,
  type BudgetUse,
  type BudgetVerdict,
  closeBatch,
  decide,
  type HeldBatch,
  markSent,
  NO_USE,
  pruned,
} from './budget-places.js';
import type { BudgetRule } from '../../../content/budgets/index.js';

/** Before a message that was decided about gets its answer. */
export const BUDGETED = new FailPoint<Types.ObjectId>('budget.decided');

interface UseRecord extends BudgetUse {
  /** Id of the subscriber's record. */
  _id: Types.ObjectId;
  /** Counts up with every write. */
  seq: number;
  expireAt: Date;
}

/** How long a message finds what was decided about it. It is asked about again only while nobody has stored what came of it. */
const KEPT_MS = 7 * 86_400_000;
/** The longest window of a budget. */
const LONGEST_MS = 31 * 86_400_000;

export const BUDGET_USE_MODEL = 'BudgetUse';
export const BudgetUseSchema = shared(
  new Schema({}, { collection: 'budgetUses', strict: false, versionKey: false, timestamps: false }),
);
shardBy(BudgetUseSchema, '_id');
BudgetUseSchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

/**
 * Counts the messages of subscribers. Every decision that changes what is counted is one write, whose filter says that the record is the
 * one that was read: of two decisions at once, one is made again. A message that is asked about again finds its own decision.
 */
@Injectable()
export class BudgetUses {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  async enter(subscriber: Types.ObjectId, asked: AskedMessage): Promise<BudgetVerdict> {
    for (;;) {
      const record = await this.read(subscriber);
      const { verdict, use } = decide(record ?? NO_USE, asked);
      if (use !== undefined && !(await this.write(subscriber, record, use, asked))) continue;
      await BUDGETED.pass(asked.job);
      return verdict;
    }
  }

  /** What `enter` would answer; counts nobody. */
  async look(subscriber: Types.ObjectId, asked: AskedMessage): Promise<BudgetVerdict> {
    return decide((await this.read(subscriber)) ?? NO_USE, asked).verdict;
  }

  /**
   * Closes a batch unless it was closed or joined meanwhile; then it is to be looked at again.
   * @param batch as it was read; `present` says who of it comes with the digest
   */
  async close(
    subscriber: Types.ObjectId,
    { batch, rule }: { readonly batch: HeldBatch; readonly rule: BudgetRule },
    present: ReadonlySet<string>,
    asked: AskedMessage,
  ): Promise<void> {
    const record = await this.read(subscriber);
    const found = record?.batches.find(({ _id }) => _id.equals(batch._id));
    if (record === undefined || found === undefined || found.closed !== undefined) return;
    if (found.members.length !== batch.members.length) return;
    await this.write(subscriber, record, closeBatch(record, batch, rule, present, asked.now), asked);
  }

  /** The digest of a batch is triggered. */
  async noteSent(subscriber: Types.ObjectId, batch: HeldBatch, asked: AskedMessage): Promise<void> {
    for (;;) {
      const record = await this.read(subscriber);
      const found = record?.batches.find(({ _id }) => _id.equals(batch._id));
      if (record === undefined || found === undefined || found.isSent === true) return;
      if (await this.write(subscriber, record, markSent(record, batch), asked)) return;
    }
  }

  async erase(subscriber: Types.ObjectId): Promise<void> {
    await this.collection.deleteOne({ _id: subscriber });
  }

  private async read(subscriber: Types.ObjectId): Promise<UseRecord | undefined> {
    return (await this.collection.findOne({ _id: subscriber })) ?? undefined;
  }

  /** @returns false if another write came first */
  private async write(
    _id: Types.ObjectId,
    before: UseRecord | undefined,
    use: BudgetUse,
    { now, rules }: AskedMessage,
  ): Promise<boolean> {
    const longest = Math.max(86_400_000, ...rules.map(({ rollingMs = 0 }) => rollingMs));
    const kept = pruned(use, new Date(now.getTime() - longest - KEPT_MS));
    const { places, critical, batches, refused } = kept;
    const expireAt = new Date(now.getTime() + LONGEST_MS + KEPT_MS);
    const fields = { places, critical, batches, ...(refused && { refused }), expireAt };
    if (before === undefined) return this.insert({ _id, seq: 1, ...fields });
    const { seq } = before;
    const { matchedCount } = await this.collection.updateOne({ _id, seq }, { $set: { ...fields, seq: seq + 1 } });
    return matchedCount === 1;
  }

  private async insert(record: UseRecord): Promise<boolean> {
    try {
      await this.collection.insertOne(record);
      return true;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return false;
    }
  }

  private get collection(): mongo.Collection<UseRecord> {
    return rawCollection<UseRecord>(this.connection, 'budgetUses');
  }
}
