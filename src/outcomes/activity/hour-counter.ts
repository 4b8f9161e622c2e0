import { Injectable } from '@nestjs/common';
import type { mongo, Types } from 'mongoose';
import { NotificationStore } from '../../engine/delivery/index.js';
import { MessageCounts } from '../../engine/messages/reports/index.js';
import { type CountedRun, TallySum } from './tally.js';
import { HOUR_MS, type Tally } from './tally.schema.js';

const BATCH = 1_000;

const RUN_FIELDS = {
  _templateId: 1,
  channels: 1,
  status: 1,
  createdAt: 1,
  'steps.type': 1,
  'steps.status': 1,
  'steps.finishedAt': 1,
  'steps.held.since': 1,
  'steps.replays': 1,
};

/** Counts what was created in an hour, as its records are now. The queries are short, so that others get their turn. */
@Injectable()
export class HourCounter {
  constructor(
    private readonly notifications: NotificationStore,
    private readonly messages: MessageCounts,
  ) {}

  /** @param goOn called after each batch; counting ends with what it throws */
  async count(
    environmentId: Types.ObjectId,
    at: Date,
    goOn: () => Promise<void>,
  ): Promise<Tally & { readonly isOpen: boolean }> {
    const sum = new TallySum();
    let isOpen = false;
    let done = 0;
    const passed = async (): Promise<void> => {
      if (++done % BATCH === 0) await goOn();
    };
    for await (const run of this.runsOf(environmentId, at, 0)) {
      sum.addRun(run);
      if (run.status === 'active') isOpen = true;
      await passed();
    }
    for await (const message of this.messages.createdWithin(environmentId, hourOf(at), 0)) {
      sum.addMessage(message);
      await passed();
    }
    return { ...sum.result, isOpen };
  }

  /** @returns undefined if there are more records of a kind than that */
  async countFew(environmentId: Types.ObjectId, at: Date, most: number): Promise<Tally | undefined> {
    const numbers = await Promise.all([
      this.notifications.collection.countDocuments(runsWithin(environmentId, at), { limit: most + 1 }),
      this.messages.numberWithin(environmentId, hourOf(at), most + 1),
    ]);
    if (numbers.some((number) => number > most)) return undefined;
    const [runs, messages] = await Promise.all([
      this.runsOf(environmentId, at, most).toArray(),
      this.messages.createdWithin(environmentId, hourOf(at), most).toArray(),
    ]);
    const sum = new TallySum();
    for (const run of runs) sum.addRun(run);
    for (const message of messages) sum.addMessage(message);
    return sum.result;
  }

  /** The hour of the first record since then; undefined if there is none. */
  async nextHour(environmentId: Types.ObjectId, since: Date): Promise<Date | undefined> {
    const [[run], message] = await Promise.all([
      this.notifications.collection
        .find({ _environmentId: environmentId, createdAt: { $gte: since } })
        .sort({ createdAt: 1, _id: 1 })
        .limit(1)
        .project<Pick<CountedRun, 'createdAt'>>({ createdAt: 1 })
        .toArray(),
      this.messages.firstSince(environmentId, since),
    ]);
    const times = [run?.createdAt, message].filter((time) => time !== undefined);
    return times.length === 0 ? undefined : startOf(Math.min(...times.map((time) => time.getTime())), HOUR_MS);
  }

  private runsOf(environmentId: Types.ObjectId, at: Date, limit: number): mongo.FindCursor<CountedRun> {
    return this.notifications.collection
      .find(runsWithin(environmentId, at))
      .project<CountedRun>(RUN_FIELDS)
      .limit(limit)
      .batchSize(BATCH);
  }
}

export function startOf(time: number, lengthMs: number): Date {
  return new Date(Math.floor(time / lengthMs) * lengthMs);
}

function runsWithin(_environmentId: Types.ObjectId, at: Date): mongo.Document {
  const { from, to } = hourOf(at);
  return { _environmentId, createdAt: { $gte: from, $lt: to } };
}

function hourOf(at: Date): { readonly from: Date; readonly to: Date } {
  return { from: at, to: new Date(at.getTime() + HOUR_MS) };
}
