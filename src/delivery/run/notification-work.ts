import { Injectable } from '@nestjs/common';
import type { NotificationRecord } from '../../notifications/index.js';
import { RunLoader } from '../facts/run-loader.js';
import { Background } from '../work/background.js';
import { LaneBoard } from '../work/lane-board.js';
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
    private readonly lanes: LaneBoard,
    private readonly queues: WorkQueues,
    private readonly background: Background,
  ) {}

  /** Takes due notifications, as many as the lanes have room for. @returns how many */
  async claim(): Promise<number> {
    const records = await this.queues.notifications.claim(this.lanes.rooms);
    if (records.length === 0) return 0;
    for (const record of records) this.lanes.take(record.lane ?? 'store', record._environmentId.toHexString());
    this.background.start(() => this.resume(records));
    return records.length;
  }

  private async resume(records: readonly NotificationRecord[]): Promise<void> {
    const isHanded = new Set<NotificationRecord>();
    try {
      const { runs, lost } = await this.loader.load(records);
      await this.lost.end(lost);
      for (const { record } of runs) isHanded.add(record);
      await this.engine.resume(runs);
    } finally {
      for (const record of records) {
        if (!isHanded.has(record)) this.lanes.release(record.lane ?? 'store', record._environmentId.toHexString());
      }
    }
  }
}
