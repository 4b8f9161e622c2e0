import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Clock, FailPoint } from '#libs/common';
import { AppConfig } from '#libs/config';
import { AppLogger } from '#libs/http-kit';
import type { TenantModel } from '#libs/persistence';
import { SCHEDULE_OCCURRENCES as OCCURRENCES } from '#libs/telemetry';
import { Background, BatchWorker, keyOf } from '#libs/work';
import { nextAfter, transactionIdOf } from './occurrences.js';
import { dueAt, type LastOccurrence, NO_WORK, Schedule, SCHEDULE_SHARD_KEY } from './schedule.schema.js';
import { ScheduleQueue } from './schedule-queue.js';
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
export class ScheduleWorker extends BatchWorker<Schedule> {
  constructor(
    @InjectModel(Schedule.name) private readonly schedules: TenantModel<Schedule>,
    queue: ScheduleQueue,
    private readonly trigger: ScheduleTrigger,
    private readonly clock: Clock,
    config: AppConfig,
    logger: AppLogger,
  ) {
    const background = new Background((error) => logger.error(error, 'Schedules'));
    super({ config, background, queue, most: BATCH, mostOfOne: BATCH_OF_ONE_ENVIRONMENT });
  }

  carryOut(rows: readonly Schedule[]): Promise<void> {
    return this.each(rows, (row) => this.occur(row));
  }

  private async occur(row: Schedule): Promise<void> {
    const at = row.nextAt;
    if (at === undefined) return;
    const missedUntil = new Date(this.clock.now().getTime() - MISSED_AFTER_MS);
    const isMissed = at < missedUntil;
    const last = await this.outcomeOf(row, at, isMissed);
    if (last === undefined) return this.letGo(row);
    await OCCURRED.pass(row);
    // What is less late is triggered yet, each at a time.
    await this.save(row, last, nextAfter(row, isMissed ? missedUntil : at));
  }

  private async outcomeOf(row: Schedule, at: Date, isMissed: boolean): Promise<LastOccurrence | undefined> {
    const transactionId = transactionIdOf(row, at);
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
        ? { $set: { ...$set, status: 'ended' }, $unset: NO_WORK }
        : { $set: { ...$set, ...dueAt(nextAt) }, $unset: { lease: 1 } };
    const { matchedCount } = await this.schedules.collection.updateOne(
      { ...keyOf(row, SCHEDULE_SHARD_KEY), lease, __v },
      update,
    );
    if (matchedCount > 0) OCCURRENCES.add({ status: last.status });
    else await this.letGo(row);
  }

  /** Somebody has changed it: the change counts at once, and not after the lease. */
  private async letGo(row: Schedule): Promise<void> {
    await this.schedules.collection.updateOne({ ...keyOf(row, SCHEDULE_SHARD_KEY), lease: row.lease }, [
      { $set: { wakeAt: '$nextAt', lease: '$$REMOVE' } },
    ]);
    this.wake();
  }
}
