import { Injectable } from '@nestjs/common';
import { isStoreAway } from '#libs/persistence';
import type { NotificationRecord } from '../records/notification.record.js';
import { RunLoader } from './run-loader.js';
import { Background } from '../work/background.js';
import { WorkBoard } from '../work/work-board.js';
import { WorkQueues } from '../work/work-queues.js';
import { LostRuns } from './lost-runs.js';
import { RunEngine } from './run-engine.js';

/** Claims due notifications and hands them to the engine. */
@Injectable()
export class NotificationWork {
  constructor(
    private readonly loader: RunLoader,
    private readonly engine: RunEngine,
    private readonly lost: LostRuns,
    private readonly board: WorkBoard,
    private readonly queues: WorkQueues,
    private readonly background: Background,
  ) {}

  /** Takes due notifications, as many as the lanes have room for. @returns how many */
  async claim(): Promise<number> {
    const records = await this.queues.notifications.claim(this.board.rooms);
    if (records.length === 0) return 0;
    const { clean, alone, later, hopeless } = this.board.suspects.admit(records);
    const hopelessRuns = hopeless.map((record) => ({ record, reason: 'worker_lost' as const }));
    if (hopeless.length > 0) this.background.start(() => this.lost.end(hopelessRuns));
    for (const group of later) await this.queues.notifications.postpone(group.records, group.at);
    if (clean.length > 0) this.begin(clean);
    if (alone.length > 0) {
      await this.queues.notifications.count(alone);
      this.begin(alone, () => this.board.suspects.done());
    }
    return records.length;
  }

  /** @param done called when nothing of them is at work in this process any more */
  private begin(records: readonly NotificationRecord[], done?: () => void): void {
    for (const record of records) this.board.take(record.lane ?? 'store', record._environmentId.toHexString());
    this.background.start(async () => {
      try {
        await this.resume(records);
        if (done !== undefined) await this.board.inFlight.left(records);
      } finally {
        done?.();
      }
    });
  }

  private async resume(records: readonly NotificationRecord[]): Promise<void> {
    const isHanded = new Set<NotificationRecord>();
    try {
      const { runs, lost } = await this.loader.load(records);
      await this.lost.end(lost);
      for (const { record } of runs) isHanded.add(record);
      await this.engine.resume(runs);
    } catch (error) {
      // That the store was away for a moment says nothing about this work.
      if (isStoreAway(error)) await this.queues.notifications.forgive(records);
      throw error;
    } finally {
      for (const record of records) {
        if (!isHanded.has(record)) this.board.release(record.lane ?? 'store', record._environmentId.toHexString());
      }
    }
  }
}
