import type { TestApp } from '../harness/index.js';

import { type Claimable, FairSlots, type LaneCapacity, type WorkQueue } from '#libs/work';
import { RunLoader } from '../../src/engine/delivery/run/run-loader.js';
import { RunEngine } from '../../src/engine/delivery/run/run-engine.js';
import { DeliveryQueues } from '../../src/engine/delivery/queues/delivery-queues.js';

/** Claims as a worker does. What it has claimed continues when the test says so, or never. */
export class Holders {
  private readonly queues: DeliveryQueues;
  private readonly loader: RunLoader;
  private readonly engine: RunEngine;

  constructor({ app }: TestApp) {
    this.queues = app.get(DeliveryQueues, { strict: false });
    this.loader = app.get(RunLoader, { strict: false });
    this.engine = app.get(RunEngine, { strict: false });
  }

  /** Claims what is due and stops. @returns continues with it */
  async claim(): Promise<() => Promise<void>> {
    const records = await claimAll(this.queues.notifications, this.queues.lanes.capacity);
    const { runs } = await this.loader.load(records);
    return () => {
      for (const record of records) this.queues.lanes.take(record.lane ?? 'store', record._environmentId.toHexString());
      return this.engine.resume(runs);
    };
  }

  /** A worker that dies with notifications in hand. @returns how many */
  async dieWithNotifications(): Promise<number> {
    return (await claimAll(this.queues.notifications, this.queues.lanes.capacity)).length;
  }

  /** A worker that dies with events in hand. @returns how many */
  async dieWithEvents(): Promise<number> {
    return (await claimAll(this.queues.events, new Map([['expand', new FairSlots(1_000, 1_000)]]))).length;
  }
}

/** What is due, and what waits for a trial, as one group. */
export async function claimAll<T extends Claimable>(queue: WorkQueue<T>, capacity: LaneCapacity): Promise<T[]> {
  const clean = await queue.claim(capacity);
  const heads = (await queue.suspects?.find(true)) ?? [];
  const tried = heads.length === 0 ? [] : await queue.suspects?.claim(heads, heads.length);
  return [...clean, ...(tried ?? [])];
}
