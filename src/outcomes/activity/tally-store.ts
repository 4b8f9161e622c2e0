import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, mongo, Types } from 'mongoose';
import { derivedObjectId, onDuplicateKey, rawCollection } from '#libs/persistence';
import { type ActivityTally, DAY_MS, HOUR_MS, type RunTally, type Tally, type TallyWork } from './tally.schema.js';
import { TallySum } from './tally.js';

/** Longer than an hour is counted again, so a day is always the sum of all its hours. */
export const HOURS_KEPT_MS = 40 * DAY_MS;
const DAYS_KEPT_MS = 400 * DAY_MS;

export type TallyOwner = Pick<ActivityTally, '_environmentId' | '_organizationId'>;
type CountedHour = Pick<ActivityTally, '_id' | 'at' | 'countedAt' | 'recountAt'>;

/** What an hour says of runs. */
export interface CountedRuns extends Pick<ActivityTally, 'at' | 'countedAt'> {
  readonly workflows: readonly Pick<RunTally, '_templateId' | 'runs' | 'kinds'>[];
}

const RUN_FIELDS = {
  at: 1,
  countedAt: 1,
  'workflows._templateId': 1,
  'workflows.runs': 1,
  'workflows.kinds': 1,
} as const;
const HOUR_FIELDS = { at: 1, countedAt: 1, recountAt: 1 } as const;

/** Reads and replaces tallies. An earlier count never replaces a later one, whoever writes them. */
@Injectable()
export class TallyStore {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  get work(): mongo.Collection<TallyWork> {
    return rawCollection<TallyWork>(this.connection, 'activityTallyWork');
  }

  /** The hour stays due until it is settled: a worker that dies before its day is written leaves it to the next one. */
  async replaceHour(owner: TallyOwner, at: Date, countedAt: Date, tally: Tally): Promise<void> {
    await this.replace(owner, { ...tally, unit: 'hour', at, countedAt, recountAt: countedAt }, HOURS_KEPT_MS);
  }

  async replaceDay(owner: TallyOwner, at: Date, countedAt: Date): Promise<void> {
    const hours = await this.within(owner._environmentId, 'hour', at, new Date(at.getTime() + DAY_MS));
    const sum = new TallySum();
    for (const hour of hours) sum.add(hour);
    await this.replace(owner, { ...sum.result, unit: 'day', at, countedAt }, DAYS_KEPT_MS);
  }

  /** @param hours when each was counted, and when it is to be counted again; absent: never */
  async settle(
    { _environmentId }: TallyOwner,
    hours: readonly { readonly at: Date; readonly countedAt: Date; readonly recountAt?: Date | undefined }[],
  ): Promise<void> {
    if (hours.length === 0) return;
    await this.tallies.bulkWrite(
      hours.map(({ at, countedAt, recountAt }) => ({
        updateOne: {
          filter: { _id: idOf(_environmentId, 'hour', at), countedAt },
          update: recountAt === undefined ? { $unset: { recountAt: 1 } } : { $set: { recountAt } },
        },
      })),
      { ordered: false },
    );
  }

  /** Ascending. @param to exclusive */
  within(_environmentId: Types.ObjectId, unit: ActivityTally['unit'], from: Date, to: Date): Promise<ActivityTally[]> {
    return this.tallies
      .find({ _environmentId, unit, at: { $gte: from, $lt: to } })
      .sort({ at: 1 })
      .toArray();
  }

  /** What the hours of a period say of runs. @param to exclusive */
  runsWithin(_environmentId: Types.ObjectId, from: Date, to: Date): Promise<CountedRuns[]> {
    return this.tallies
      .find({ _environmentId, unit: 'hour', at: { $gte: from, $lt: to } })
      .project<CountedRuns>(RUN_FIELDS)
      .toArray();
  }

  /** Hours before this one are counted; undefined if there are none yet. */
  async countedTo(_id: Types.ObjectId): Promise<Date | undefined> {
    return (await this.work.findOne({ _id }, { projection: { countedTo: 1 } }))?.countedTo;
  }

  /** Those of these hours that have been counted. */
  hoursAt(_environmentId: Types.ObjectId, hours: readonly Date[]): Promise<CountedHour[]> {
    if (hours.length === 0) return Promise.resolve([]);
    return this.tallies
      .find({ _environmentId, unit: 'hour', at: { $in: [...hours] } })
      .project<CountedHour>(HOUR_FIELDS)
      .toArray();
  }

  async dueHours(_environmentId: Types.ObjectId, now: Date, limit: number): Promise<Date[]> {
    const rows = await this.tallies
      .find({ _environmentId, recountAt: { $lte: now } })
      .sort({ recountAt: 1 })
      .limit(limit)
      .project<CountedHour>(HOUR_FIELDS)
      .toArray();
    return rows.map(({ at }) => at);
  }

  async nextRecount(_environmentId: Types.ObjectId): Promise<Date | undefined> {
    const [next] = await this.tallies
      .find({ _environmentId, recountAt: { $gt: new Date(0) } })
      .sort({ recountAt: 1 })
      .limit(1)
      .project<CountedHour>(HOUR_FIELDS)
      .toArray();
    return next?.recountAt;
  }

  /** Hours are counted again no later than this. */
  async hasten(changes: readonly { readonly _id: Types.ObjectId; readonly recountAt: Date }[]): Promise<void> {
    if (changes.length === 0) return;
    await this.tallies.bulkWrite(
      changes.map(({ _id, recountAt }) => ({ updateOne: { filter: { _id }, update: { $min: { recountAt } } } })),
      { ordered: false },
    );
  }

  private async replace(
    { _environmentId, _organizationId }: TallyOwner,
    fields: Omit<ActivityTally, '_id' | 'expireAt' | keyof TallyOwner>,
    keptMs: number,
  ): Promise<void> {
    const { unit, at, countedAt } = fields;
    const kept = Math.max(at.getTime() + (unit === 'hour' ? HOUR_MS : DAY_MS), countedAt.getTime());
    const $set = { ...fields, _environmentId, _organizationId, expireAt: new Date(kept + keptMs) };
    const filter = { _id: idOf(_environmentId, unit, at), countedAt: { $lte: countedAt } };
    // A later count is there already.
    await this.tallies.updateOne(filter, { $set }, { upsert: true }).catch(onDuplicateKey(() => undefined));
  }

  private get tallies(): mongo.Collection<ActivityTally> {
    return rawCollection<ActivityTally>(this.connection, 'activityTallies');
  }
}

function idOf(environmentId: Types.ObjectId, unit: ActivityTally['unit'], at: Date): Types.ObjectId {
  return derivedObjectId(environmentId, unit, at.toISOString());
}
