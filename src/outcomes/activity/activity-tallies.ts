import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { Clock, FailPoint } from '#libs/common';
import { AppConfig } from '#libs/config';
import { MessageCounts } from '../../engine/messages/reports/index.js';
import { HourCounter, startOf } from './hour-counter.js';
import { DAY_MS, HOUR_MS, type TallyWork } from './tally.schema.js';
import { TallyStore } from './tally-store.js';

/** Before and after each write of a pass. */
export const TALLYING = new FailPoint<TallyWork>('activity.tally');

/** A pass ends after so many hours, or so long: others have their turn, and the next pass goes on. */
const HOURS_OF_A_PASS = 24;
const LONG_MS = 5_000;
/** Reads that one pass takes into account. */
const READS_OF_A_PASS = 10_000;
/** Hours whose messages are read one after the other are not counted again each time. */
const RECOUNT_PAUSE_MS = 600_000;
/** A read is stored this long after its time at most, else it is found when its hour is counted next. */
const READ_OVERLAP_MS = 10_000;

interface CountedHour {
  readonly at: Date;
  readonly countedAt: Date;
  readonly recountAt: Date | undefined;
}

/** How far a pass has come, and when there is more to do. */
export interface PassResult {
  readonly countedTo: Date;
  readonly readTo: Date;
  /** Absent if nothing is left unless something happens. */
  readonly nextAt?: Date;
}

/** Counts the hours of an environment that are new or due, in pieces. Each piece can be repeated, by several at a time as well. */
@Injectable()
export class ActivityTallies {
  private readonly retentionDays: number;

  constructor(
    private readonly counter: HourCounter,
    private readonly messages: MessageCounts,
    private readonly store: TallyStore,
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    const kept = [config.get('RETENTION_DAYS'), config.get('RETENTION_DAYS_IN_APP')].filter((days) => days > 0);
    this.retentionDays = kept.length === 0 ? 0 : Math.min(...kept);
  }

  /** @param goOn called between batches; the pass ends with what it throws */
  async pass(work: TallyWork, goOn: () => Promise<void>): Promise<PassResult> {
    const endAt = performance.now() + LONG_MS;
    const { _environmentId } = work;
    const begunAt = this.clock.now();
    const readTo = await this.noteReads(work, begunAt);
    const counted: CountedHour[] = [];
    const isFull = (): boolean => counted.length === HOURS_OF_A_PASS || performance.now() > endAt;
    const count = async (at: Date): Promise<void> => {
      counted.push(await this.countHour(work, at, goOn));
    };

    const current = startOf(begunAt.getTime(), HOUR_MS);
    // An hour may get its first record a little after its end.
    const recent = new Date(current.getTime() - HOUR_MS);
    let countedTo = work.countedTo ?? new Date(0);
    for (;;) {
      const at = isFull() ? undefined : await this.counter.nextHour(_environmentId, countedTo);
      if (at === undefined || at > current) break;
      const known = at < current && at >= recent ? await this.store.hoursAt(_environmentId, [at]) : [];
      if (known.length === 0) await count(at);
      countedTo = new Date(at.getTime() + HOUR_MS);
    }
    const isCaughtUp = !isFull();
    const due = isCaughtUp ? await this.store.dueHours(_environmentId, begunAt, HOURS_OF_A_PASS) : [];
    for (const at of due) {
      if (isFull()) break;
      if (!counted.some((one) => one.at.getTime() === at.getTime())) await count(at);
    }
    await this.settle(work, counted);
    const nextAt = isCaughtUp ? await this.store.nextRecount(_environmentId) : begunAt;
    return {
      countedTo: isCaughtUp || countedTo > recent ? recent : countedTo,
      readTo,
      ...(nextAt !== undefined && { nextAt }),
    };
  }

  private async countHour(work: TallyWork, at: Date, goOn: () => Promise<void>): Promise<CountedHour> {
    const countedAt = this.clock.now();
    const { isOpen, ...tally } = await this.counter.count(work._environmentId, at, goOn);
    await TALLYING.pass(work);
    await this.store.replaceHour(work, at, countedAt, tally);
    await TALLYING.pass(work);
    return { at, countedAt, recountAt: recountAfter(at, countedAt, finalAge(this.retentionDays, isOpen)) };
  }

  /** Hours are settled after their days are written. */
  private async settle(work: TallyWork, counted: readonly CountedHour[]): Promise<void> {
    const days = new Set(counted.map(({ at }) => startOf(at.getTime(), DAY_MS).getTime()));
    for (const day of days) {
      await this.store.replaceDay(work, new Date(day), this.clock.now());
      await TALLYING.pass(work);
    }
    await this.store.settle(work, counted);
    await TALLYING.pass(work);
  }

  /**
   * Hours with messages that have been read since are counted again.
   * @returns the time until which reads are taken into account
   */
  private async noteReads({ _environmentId, readTo }: TallyWork, now: Date): Promise<Date> {
    // Reads have the time of their process.
    const until = new Date(Date.now() - READ_OVERLAP_MS);
    if (readTo === undefined) return until;
    const reads = await this.messages.readSince(_environmentId, readTo, READS_OF_A_PASS);
    const from = now.getTime() - finalAge(this.retentionDays, true);
    const hours = new Set(reads.map(({ createdAt }) => startOf(createdAt.getTime(), HOUR_MS).getTime()));
    await this.hasten(
      _environmentId,
      [...hours].filter((at) => at >= from).map((at) => new Date(at)),
      now,
    );
    const last = reads.length === READS_OF_A_PASS ? reads.at(-1)?.lastReadDate : undefined;
    return last !== undefined && last > readTo ? last : until;
  }

  private async hasten(environmentId: Types.ObjectId, hours: readonly Date[], now: Date): Promise<void> {
    const known = await this.store.hoursAt(environmentId, hours);
    await this.store.hasten(
      known.map(({ _id, countedAt }) => ({
        _id,
        recountAt: new Date(Math.max(now.getTime(), countedAt.getTime() + RECOUNT_PAUSE_MS)),
      })),
    );
  }
}

/** An hour is counted as soon as it is over, or a little later: processes write what they have done in batches. */
export const SETTLING_MS = 60_000;
/** By then, most mails are opened and most delays have ended. */
const USUAL_MS = 11 * DAY_MS;
/** For hours with runs that have not ended, and messages that are read late. */
const LONGEST_MS = 35 * DAY_MS;
/** Records of the hour are still there, those of its beginning as well. */
const BEFORE_RETENTION_MS = HOUR_MS;

/** The age of an hour from which on it stays as it was counted last. @param retentionDays the shortest; 0 keeps everything */
export function finalAge(retentionDays: number, isOpen: boolean): number {
  const kept = retentionDays > 0 ? retentionDays * DAY_MS - BEFORE_RETENTION_MS : Infinity;
  return Math.min(kept, isOpen ? LONGEST_MS : USUAL_MS);
}

/**
 * At its end, and then each time that its age has doubled: late changes become rare.
 * @param finalMs of `finalAge`
 * @returns undefined if it is final
 */
export function recountAfter(at: Date, now: Date, finalMs: number): Date | undefined {
  const start = at.getTime();
  const end = start + HOUR_MS + SETTLING_MS;
  if (now.getTime() < end) return new Date(end);
  const age = 2 * (now.getTime() - start);
  return age > finalMs ? undefined : new Date(start + age);
}
