import { Injectable } from '@nestjs/common';
import type { Lane, NotificationRecord } from '../records/notification.record.js';
import type { Run } from '../run/run.js';
import { InFlight } from './in-flight.js';
import { LaneBoard } from './lane-board.js';
import { Leases } from './leases.js';
import type { LaneRoom } from './pick-fair.js';
import { Suspects } from './suspects.js';
import { WorkQueues } from './work-queues.js';

/** What this process is at work on: places in lanes, leases, and what is in hand. */
@Injectable()
export class WorkBoard {
  readonly inFlight = new InFlight<NotificationRecord>(() => performance.now());

  constructor(
    private readonly lanes: LaneBoard,
    private readonly queues: WorkQueues,
    readonly leases: Leases,
    readonly suspects: Suspects,
  ) {}

  /** The lanes as claims see them. */
  get rooms(): ReadonlyMap<string, LaneRoom> {
    return this.lanes.rooms;
  }

  now(): Date {
    return this.queues.now();
  }

  begin(runs: readonly Run[]): void {
    for (const { record } of runs) this.inFlight.add(record);
  }

  end(runs: readonly Run[]): void {
    for (const { record } of runs) this.inFlight.delete(record);
  }

  tryTake(lane: Lane, environmentId: string): boolean {
    return this.lanes.tryTake(lane, environmentId);
  }

  /** Takes a place that was promised by a claim. */
  take(lane: Lane, environmentId: string): void {
    this.lanes.take(lane, environmentId);
  }

  release(lane: Lane, environmentId: string): void {
    this.lanes.release(lane, environmentId);
  }

  /** Keeps the run in this worker's hands for what comes next. */
  holdLease(run: Run, lane: Lane): void {
    run.record.lane = lane;
    run.record.lease = run.lease;
    run.record.wakeAt = this.queues.notifications.leaseEnd();
  }
}
