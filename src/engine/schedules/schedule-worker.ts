import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { mongo } from 'mongoose';
import { Clock, FailPoint } from '#libs/common';
import { AppConfig } from '#libs/config';
import { AppLogger } from '#libs/http-kit';
import type { TenantModel } from '#libs/persistence';
import { Background, FairSlots, keyOf, Worker, WorkQueue } from '#libs/work';
import { nextAfter, transactionIdOf } from './occurrences.js';
import { type LastOccurrence, Schedule, SCHEDULE_SHARD_KEY } from './schedule.schema.js';
import { ScheduleTrigger } from './schedule-trigger.js';

/** Between the trigger of an occurrence and its record. */
export const OCCURRED = new FailPoint<Schedule>('schedule.occurred');

/** Schedules per claim, and those of one environment among them. */
const BATCH = 200;
const BATCH_OF_ONE_ENVIRONMENT = 100;
/** Occurrences that are late by more were missed. */
const MISSED_AFTER_MS = 10 * 60_000;

/**
 * Triggers what is due. The occurrence and its transaction id are in the record, so whoever holds a schedule triggers the same event,
 * which is accepted once. The record goes on to the next occurrence under the lease, and only if nobody has changed it.
 */
@Injectable()
export class ScheduleWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly queue: WorkQueue<Schedule>;
  private readonly worker: Worker;
  private readonly background: Background;
  private readonly capacity = new Map([[undefined, new FairSlots(BATCH, BATCH_OF_ONE_ENVIRONMENT)]]);

  constructor(
    @InjectModel(Schedule.name) private readonly schedules: TenantModel<Schedule>,
    private readonly trigger: ScheduleTrigger,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    logger: AppLogger,
  ) {
    this.background = new Background((error) => logger.error(error, 'Schedules'));
    this.queue = new WorkQueue({
      collection: () => schedules.collection as unknown as mongo.Collection<Schedule>,
      groupBy: '_environmentId',
      shardKey: SCHEDULE_SHARD_KEY,
      clock,
      leaseMs: config.get('DELIVERY_LEASE_MS'),
    });
    const nothingToDo = (): Promise<void> => Promise.resolve();
    this.worker = new Worker({
      sources: [
        {
          claim: async () => this.carryOut(await this.claim()),
          nextWakeAt: () => this.queue.nextWakeAt(),
          renew: nothingToDo,
          settle: nothingToDo,
        },
      ],
      background: this.background,
      clock,
      leaseMs: this.queue.leaseMs,
      pollMs: config.get('DELIVERY_POLL_MS'),
    });
  }

  onApplicationBootstrap(): void {
    if (this.config.get('DELIVERY_WORKER') === 'on') this.worker.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.worker.stop();
  }

  /** Looks for what is due now. */
  wake(): void {
    this.worker.wake();
  }

  /** For tests: works until nothing is due, with a `ManualClock` up to this moment. */
  drain(until?: Date): Promise<void> {
    return this.worker.drain(until);
  }

  claim(): Promise<Schedule[]> {
    return this.queue.claim(this.capacity);
  }

  /** @returns how many were claimed */
  async carryOut(rows: readonly Schedule[]): Promise<number> {
    const results = await Promise.allSettled(rows.map((row) => this.occur(row)));
    for (const result of results) if (result.status === 'rejected') this.background.onError(result.reason);
    return rows.length;
  }

  private async occur(row: Schedule): Promise<void> {
    const at = row.nextAt;
    if (at === undefined) return;
    const last = await this.outcomeOf(row, at);
    await OCCURRED.pass(row);
    const now = this.clock.now();
    // A clock that was set back does not repeat anything.
    await this.save(row, last, nextAfter(row, now > at ? now : at));
  }

  private async outcomeOf(row: Schedule, at: Date): Promise<LastOccurrence> {
    const transactionId = transactionIdOf(row, at);
    const isMissed = this.clock.now().getTime() - at.getTime() > MISSED_AFTER_MS;
    // Another worker may have triggered it in time, and died before it recorded that.
    if (isMissed && row.missed === 'skip' && !(await this.trigger.isAccepted(row, transactionId))) {
      return { at, status: 'skipped', transactionId, error: 'It was missed: no worker was there in time.' };
    }
    return this.trigger.outcomeOf(row, at, transactionId);
  }

  private async save(row: Schedule, last: LastOccurrence, nextAt: Date | undefined): Promise<void> {
    const { __v, lease } = row;
    const $set = { last, updatedAt: this.clock.now() };
    const update =
      nextAt === undefined
        ? { $set: { ...$set, status: 'ended' }, $unset: { nextAt: 1, wakeAt: 1, lease: 1 } }
        : { $set: { ...$set, nextAt, wakeAt: nextAt }, $unset: { lease: 1 } };
    await this.schedules.collection.updateOne({ ...keyOf(row, SCHEDULE_SHARD_KEY), lease, __v } as object, update);
  }
}
