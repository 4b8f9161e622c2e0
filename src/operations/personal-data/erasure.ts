import { setImmediate as otherWork } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock, FailPoint } from '#libs/common';
import { AppConfig } from '#libs/config';
import {
  type ErasedPerson,
  type ErasureRecord,
  Erasures,
  type HoldsPersonalData,
} from '../../audience/subscribers/index.js';
import { ErasureQueue } from './erasure-queue.js';

/** After each batch. */
export const ERASING = new FailPoint<ErasureRecord>('erasure.portion');

/** In order of erasure. */
export class PersonalDataHolders {
  constructor(readonly all: readonly HoldsPersonalData[]) {}
}

const DAY_MS = 86_400_000;
/** Requests and steps that began before the deletion have ended by then, so the last search finds their writes. */
const LAST_LOOK_MS = 60_000;
/** Delay before records held by workers are tried again. */
const HELD_MS = 2_000;
/** Retention of the tombstone, which names nobody. */
const NOTE_DAYS = 90;

/**
 * Can be interrupted at any point and restarted. Ends with a search that finds nothing, some time after the deletion.
 */
@Injectable()
export class Erasure {
  private readonly trailMs: number;

  constructor(
    private readonly holders: PersonalDataHolders,
    private readonly queue: ErasureQueue,
    private readonly erasures: Erasures,
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    this.trailMs = config.get('ERASED_TRAIL_DAYS') * DAY_MS;
  }

  /** @param row claimed by this worker */
  async carryOut(row: ErasureRecord): Promise<void> {
    const begunAt = this.clock.now();
    // Data written after this sets the flag again.
    await this.queue.save([{ record: row, update: { $unset: { isReopened: 1 } } }]);
    const isHeld = await this.removeAll(row);
    const lastLookAt = new Date(row.erasedAt.getTime() + LAST_LOOK_MS);
    if (isHeld) await this.lookAgain(row, new Date(this.clock.now().getTime() + HELD_MS));
    else if (begunAt < lastLookAt) await this.lookAgain(row, lastLookAt);
    else await this.end(row);
  }

  private async removeAll(row: ErasureRecord): Promise<boolean> {
    const person = this.personOf(row);
    let isHeld = false;
    for (const holder of this.holders.all) {
      for await (const progress of holder.erase(person)) {
        isHeld ||= progress === 'held';
        await ERASING.pass(row);
        await otherWork();
      }
    }
    return isHeld;
  }

  private async end(row: ErasureRecord): Promise<void> {
    const expireAt = new Date(this.clock.now().getTime() + NOTE_DAYS * DAY_MS);
    const { modifiedCount } = await this.erasures.collection.updateOne(
      { _id: row._id, _environmentId: row._environmentId, lease: row.lease ?? '', isReopened: { $exists: false } },
      { $set: { expireAt }, $unset: { subscriberId: 1, isUnanswered: 1, wakeAt: 1, lease: 1, takenUp: 1 } },
    );
    if (modifiedCount === 0) await this.lookAgain(row, this.clock.now());
  }

  private lookAgain(row: ErasureRecord, wakeAt: Date): Promise<unknown> {
    return this.queue.save([{ record: row, update: { $set: { wakeAt }, $unset: { lease: 1, takenUp: 1 } } }]);
  }

  private personOf(row: ErasureRecord): ErasedPerson {
    const { _id: id, _organizationId, _environmentId, subscriberId, erasedAt, isSettled } = row;
    return {
      id,
      organizationId: _organizationId.toHexString(),
      environmentId: _environmentId.toHexString(),
      erasedAt,
      isSettled: isSettled === true,
      trailUntil: new Date(erasedAt.getTime() + this.trailMs),
      ...(subscriberId !== undefined && { subscriberId }),
    };
  }
}
