import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { type Connection, type mongo, Schema, type Types } from 'mongoose';
import { isDuplicateKey, rawCollection, shardBy, shared } from '#libs/persistence';

interface WindowRecord {
  _id: string;
  lastAt: Date;
  by: Types.ObjectId;
  expireAt: Date;
}

interface DecisionRecord {
  _id: string;
  isFirst: boolean;
  expireAt: Date;
}

const DECIDED_MS = 7 * 86_400_000;

export const DIGEST_WINDOW_MODEL = 'DigestWindow';
export const DigestWindowSchema = shared(
  new Schema({}, { collection: 'digestWindows', strict: false, versionKey: false, timestamps: false }),
);
shardBy(DigestWindowSchema, '_id');
DigestWindowSchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

/** Remembers when the last event of a backoff digest came: the first one in a while does not wait. */
@Injectable()
export class DigestWindows {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  /**
   * Notes an event in one atomic step, so that exactly one of two simultaneous events is the first. A decision about a run
   * is final: a worker that was suspended may have delivered the event alone, and another one must not put it into a digest.
   * @param since where the look-back window begins
   * @returns true when nothing came in the window before this one
   */
  async isFirst(slot: string, by: Types.ObjectId, now: Date, since: Date): Promise<boolean> {
    const before = await this.note(slot, by, now, since);
    // The same run again: its worker died before it could write the decision.
    const isFirst = before === null || before.lastAt < since || before.by.equals(by);
    return this.decide(`${slot}:${by.toHexString()}`, isFirst, new Date(now.getTime() + DECIDED_MS));
  }

  private async decide(_id: string, isFirst: boolean, expireAt: Date): Promise<boolean> {
    try {
      await this.decisions.insertOne({ _id, isFirst, expireAt });
      return isFirst;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return (await this.decisions.findOne({ _id }))?.isFirst ?? isFirst;
    }
  }

  private async note(slot: string, by: Types.ObjectId, now: Date, since: Date): Promise<WindowRecord | null> {
    const expireAt = new Date(now.getTime() + 2 * (now.getTime() - since.getTime()));
    for (;;) {
      try {
        return await this.collection.findOneAndUpdate(
          { _id: slot },
          { $set: { lastAt: now, by, expireAt } },
          { upsert: true, returnDocument: 'before' },
        );
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    }
  }

  /** In the same collection: they live and end with the windows. */
  private get decisions(): mongo.Collection<DecisionRecord> {
    return rawCollection<DecisionRecord>(this.connection, 'digestWindows');
  }

  protected get collection(): mongo.Collection<WindowRecord> {
    return rawCollection<WindowRecord>(this.connection, 'digestWindows');
  }
}

/** Answers what `DigestWindows` would, and notes nothing. */
@Injectable()
export class ReadOnlyDigestWindows extends DigestWindows {
  override async isFirst(slot: string, _by: Types.ObjectId, _now: Date, since: Date): Promise<boolean> {
    const before = await this.collection.findOne({ _id: slot });
    return before === null || before.lastAt < since;
  }
}
