import { Injectable } from '@nestjs/common';
import type { mongo, Types } from 'mongoose';
import { toObjectId } from '#libs/persistence';
import { ExecutionDetailsService } from '../../execution-details/index.js';
import {
  type ErasedPerson,
  type ErasureProgress,
  type HoldsPersonalData,
  PORTION,
} from '../../../audience/subscribers/index.js';
import { RunCancellations } from '../expansion/run-cancellations.js';
import { BudgetUses } from '../records/budget-uses.js';
import { anonymous, ERASED_ID } from '../records/anonymous.js';
import { type NotificationRecord, NotificationStore } from '../records/notification.js';

type Place = Pick<NotificationRecord, '_id' | 'createdAt'>;

/** Cancels the runs of deleted subscribers and anonymizes what is kept of them. */
@Injectable()
export class RunErasure implements HoldsPersonalData {
  constructor(
    private readonly notifications: NotificationStore,
    private readonly cancellations: RunCancellations,
    private readonly details: ExecutionDetailsService,
    private readonly budgets: BudgetUses,
  ) {}

  async *erase({ environmentId, id, trailUntil }: ErasedPerson): AsyncGenerator<ErasureProgress> {
    const own = { _environmentId: toObjectId(environmentId), _subscriberId: id };
    await this.cancellations.request(own);
    await this.budgets.erase(id);
    yield 'removed';
    let last: Place | undefined;
    for (;;) {
      const rows = await this.pageAfter(own, last);
      last = rows.at(-1);
      if (last === undefined) return;
      // A worker that holds a run writes its state; it is anonymous after that.
      const ended = rows.filter(({ status, lease }) => status !== 'active' && lease === undefined);
      await this.anonymise(environmentId, ended, trailUntil);
      yield ended.length < rows.length ? 'held' : 'removed';
    }
  }

  private pageAfter(
    own: { readonly _environmentId: Types.ObjectId; readonly _subscriberId: Types.ObjectId },
    last: Place | undefined,
  ): Promise<NotificationRecord[]> {
    const filter: mongo.Filter<NotificationRecord> = {
      ...own,
      ...(last && {
        createdAt: { $gte: last.createdAt },
        $or: [{ createdAt: { $gt: last.createdAt } }, { _id: { $gt: last._id } }],
      }),
    };
    return this.notifications.collection.find(filter).sort({ createdAt: 1, _id: 1 }).limit(PORTION).toArray();
  }

  private async anonymise(environmentId: string, rows: readonly NotificationRecord[], trailUntil: Date): Promise<void> {
    const named = rows.filter(({ subscriberId }) => subscriberId !== ERASED_ID);
    if (named.length > 0) {
      await this.notifications.collection.bulkWrite(
        named.map((row) => ({
          updateOne: {
            // A replay that has begun since is canceled when the run is looked at again.
            filter: {
              _id: row._id,
              _environmentId: row._environmentId,
              _subscriberId: row._subscriberId,
              updatedAt: row.updatedAt,
              lease: { $exists: false },
            },
            update: {
              $set: anonymous(row),
              $min: { expireAt: trailUntil },
              $unset: { digestLastSlot: 1, wakeAt: 1, dueSince: 1 },
            },
          },
        })),
        { ordered: false },
      );
    }
    await this.details.anonymise(
      environmentId,
      rows.map(({ _id }) => _id),
      trailUntil,
    );
  }
}
