import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { OnDomainEvent } from '#libs/common';
import { type TenantModel, toObjectId } from '#libs/persistence';
import {
  type ErasedPerson,
  type ErasureProgress,
  type HoldsPersonalData,
  SubscriberDeleted,
} from '../../audience/subscribers/index.js';
import { Schedule } from './schedule.schema.js';

/** Takes a person out of schedules; one for nobody else goes with its payload. */
@Injectable()
export class ScheduleErasure implements HoldsPersonalData {
  constructor(@InjectModel(Schedule.name) private readonly schedules: TenantModel<Schedule>) {}

  /** Once a deletion is settled, schedules that name the id name whoever has it then. */
  async *erase({ environmentId, subscriberId, isSettled }: ErasedPerson): AsyncGenerator<ErasureProgress> {
    if (subscriberId === undefined || isSettled) return;
    await this.remove(environmentId, subscriberId);
    yield 'removed';
  }

  /** Before the deletion is settled, so that events of schedules can tell whom they mean. */
  @OnDomainEvent(SubscriberDeleted)
  subscriberDeleted({ tenant, subscriberId }: SubscriberDeleted): Promise<void> {
    return this.remove(tenant.environmentId, subscriberId);
  }

  /** Also of deleted schedules. */
  private async remove(environmentId: string, subscriberId: string): Promise<void> {
    const { collection } = this.schedules;
    const noGroups = { topics: [], 'segments.0': { $exists: false } };
    const own = { _environmentId: toObjectId(environmentId) };
    await collection.updateMany({ ...own, actor: subscriberId }, { $unset: { actor: 1 }, $inc: { __v: 1 } });
    await collection.deleteMany({ ...own, subscribers: [subscriberId], ...noGroups });
    await collection.updateMany({ ...own, subscribers: subscriberId }, {
      $pull: { subscribers: subscriberId },
      $inc: { __v: 1 },
    } as object);
    // The last two of a schedule may be deleted at the same time.
    await collection.deleteMany({ ...own, subscribers: [], ...noGroups });
  }
}
