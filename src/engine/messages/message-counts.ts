import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { mongo, Types } from 'mongoose';
import { CHANNELS } from '#libs/channels';
import type { TenantModel } from '#libs/persistence';
import { Message } from './message.schema.js';

const FIELDS = ['_templateId', 'channel', 'status', 'read'] as const satisfies readonly (keyof Message)[];
export type CountedMessage = Pick<Message, (typeof FIELDS)[number]>;

const BATCH = 1_000;
/** Every value of the fields of the index. */
const EVERYTHING = { channel: { $in: [...CHANNELS] }, deleted: { $in: [false, true] } };

/** One that has come back was counted when it was sent. */
const NEVER_SNOOZED = { deliveredAt: { $exists: false } };

/** What counts of messages need, deleted ones included: those were sent as well. */
@Injectable()
export class MessageCounts {
  constructor(@InjectModel(Message.name) private readonly messages: TenantModel<Message>) {}

  /** In batches. @param to exclusive @param limit where reading ends; 0: at the end */
  createdWithin(
    environmentId: Types.ObjectId,
    { from, to }: { readonly from: Date; readonly to: Date },
    limit: number,
  ): mongo.FindCursor<CountedMessage> {
    return this.find<CountedMessage>(environmentId, { createdAt: { $gte: from, $lt: to }, ...NEVER_SNOOZED })
      .project<CountedMessage>(Object.fromEntries(FIELDS.map((field) => [field, 1])))
      .limit(limit)
      .batchSize(BATCH);
  }

  /** Counted up to the limit. @param to exclusive */
  numberWithin(
    environmentId: Types.ObjectId,
    { from, to }: { readonly from: Date; readonly to: Date },
    limit: number,
  ): Promise<number> {
    const where = {
      _environmentId: environmentId,
      ...EVERYTHING,
      createdAt: { $gte: from, $lt: to },
      ...NEVER_SNOOZED,
    };
    return this.messages.collection.countDocuments(where, { limit });
  }

  /** When the first one since then was created. */
  async firstSince(environmentId: Types.ObjectId, since: Date): Promise<Date | undefined> {
    const [first] = await this.find<Message>(environmentId, { createdAt: { $gte: since } })
      .sort({ createdAt: 1, _id: 1 })
      .limit(1)
      .project<Pick<Message, 'createdAt'>>({ createdAt: 1 })
      .toArray();
    return first?.createdAt;
  }

  /** Those that became read since then, by that time. */
  readSince(
    _environmentId: Types.ObjectId,
    since: Date,
    limit: number,
  ): Promise<{ readonly createdAt: Date; readonly lastReadDate: Date }[]> {
    return this.messages.collection
      .find({ _environmentId, lastReadDate: { $gte: since } })
      .sort({ lastReadDate: 1 })
      .limit(limit)
      .project<{ createdAt: Date; lastReadDate: Date }>({ createdAt: 1, lastReadDate: 1 })
      .toArray();
  }

  private find<T extends object>(_environmentId: Types.ObjectId, where: mongo.Document): mongo.FindCursor<T> {
    return this.messages.collection.find<T>({ _environmentId, ...EVERYTHING, ...where });
  }
}
