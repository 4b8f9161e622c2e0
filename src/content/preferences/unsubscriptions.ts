import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Channel, CHANNELS } from '#libs/channels';
import type { TenantContext } from '#libs/common';
import { type TenantModel, toObjectId } from '#libs/persistence';
import { Preference, type UnsubscribeWay } from './preference.schema.js';

type Environment = Pick<TenantContext, 'environmentId'>;

/** A channel that a recipient switched off by a link. */
export interface StoredUnsubscription {
  /** Of the preference. */
  readonly id: string;
  /** Record id of the subscriber. */
  readonly subscriberRecordId: string;
  /** Absent: of all workflows. */
  readonly workflowId?: string;
  readonly channel: Channel;
  readonly via: UnsubscribeWay;
  readonly since: Date;
}

/** The preferences that came about by links of recipients. */
@Injectable()
export class Unsubscriptions {
  constructor(@InjectModel(Preference.name) private readonly preferences: TenantModel<Preference>) {}

  /** Newest first, those of the same time by descending id. @param until inclusive */
  async *all({ environmentId }: Environment, channel: Channel, until?: Date): AsyncGenerator<StoredUnsubscription> {
    const at = `unsubscribed.${channel}.at`;
    const found = this.preferences
      .find({ _environmentId: environmentId, [at]: until === undefined ? { $exists: true } : { $lte: until } })
      .sort({ [at]: -1, _id: -1 })
      .lean()
      .cursor();
    for await (const row of found) {
      const stored = toStored(row, channel);
      if (stored !== undefined) yield stored;
    }
  }

  /** In no order. @param ids of the subscribers' records */
  async ofSubscribers(tenant: Environment, ids: readonly string[]): Promise<StoredUnsubscription[]> {
    if (ids.length === 0) return [];
    const rows = await this.preferences.list(tenant, {
      _subscriberId: { $in: ids.map(toObjectId) },
      unsubscribed: { $exists: true },
    });
    return rows.flatMap((row) => CHANNELS.flatMap((channel) => toStored(row, channel) ?? []));
  }

  /** Switches the channel on again. @returns what was off until now */
  async lift(tenant: Environment, id: string, channel: Channel): Promise<StoredUnsubscription | undefined> {
    const mark = `unsubscribed.${channel}`;
    const known = (await this.preferences.byIds(tenant, [id], { fields: ['_id', '_subscriberId'] })).get(id);
    if (known === undefined) return undefined;
    const { _subscriberId } = known;
    const row = await this.preferences
      .findOneAndUpdate(
        { _environmentId: tenant.environmentId, _subscriberId, _id: toObjectId(id), [mark]: { $exists: true } },
        { $set: { [`channels.${channel}`]: true }, $unset: { [mark]: 1 } },
        { returnDocument: 'before' },
      )
      .lean()
      .exec();
    return row === null ? undefined : toStored(row, channel);
  }
}

function toStored(row: Preference, channel: Channel): StoredUnsubscription | undefined {
  const mark = row.unsubscribed?.[channel];
  if (mark === undefined) return undefined;
  return {
    id: row._id.toHexString(),
    subscriberRecordId: row._subscriberId.toHexString(),
    ...(row._templateId !== null && { workflowId: row._templateId.toHexString() }),
    channel,
    via: mark.via,
    since: mark.at,
  };
}
