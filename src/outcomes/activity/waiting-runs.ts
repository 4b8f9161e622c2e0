import { Injectable } from '@nestjs/common';
import type { mongo } from 'mongoose';
import { Clock, type TenantContext } from '#libs/common';
import { shown } from '#libs/http-kit';
import { toObjectId } from '#libs/persistence';
import { LANES, NotificationStore, TriggerEventStore } from '../../engine/delivery/index.js';
import { WaitingActivityResponse } from './activity-summary.response.js';

/** Counting more would cost the store more than the number is worth. */
const MAX_COUNTED = 10_000;

/** Counts along the partial indexes of what is not finished. */
@Injectable()
export class WaitingRuns {
  constructor(
    private readonly notifications: NotificationStore,
    private readonly events: TriggerEventStore,
    private readonly clock: Clock,
  ) {}

  async count({ environmentId }: TenantContext): Promise<WaitingActivityResponse> {
    const now = this.clock.now();
    const _environmentId = toObjectId(environmentId);
    const isOpen = { wakeAt: { $exists: true } };
    const runs = (where: mongo.Document): Promise<number> =>
      this.notifications.collection.countDocuments({ _environmentId, ...where }, { limit: MAX_COUNTED });
    const inLanes = { lane: { $in: [...LANES] }, ...isOpen };
    const [events, due, later, digests, held, awaiting] = await Promise.all([
      this.events.collection.countDocuments(
        { _environmentId, lane: 'expand', dueSince: { $lte: now }, ...isOpen },
        { limit: MAX_COUNTED },
      ),
      runs({ ...inLanes, dueSince: { $lte: now } }),
      runs({ ...inLanes, dueSince: { $gt: now } }),
      runs({ digestSlot: { $exists: true } }),
      runs({ held: true }),
      runs({ awaiting: { $exists: true } }),
    ]);
    return shown(WaitingActivityResponse, {
      queued: Math.min(MAX_COUNTED, events + due),
      delayed: Math.max(0, later - digests - held - awaiting),
      digests,
      held,
      awaiting,
    });
  }
}
