import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { mongo, Types } from 'mongoose';
import { CHANNELS } from '#libs/channels';
import { type TenantModel, toObjectId } from '#libs/persistence';
import { Message } from '../records/message.schema.js';

const FIELDS = ['_templateId', 'channel', 'status', 'read'] as const satisfies readonly (keyof Message)[];
export type CountedMessage = Pick<Message, (typeof FIELDS)[number]>;

export interface TemplateCounts {
  readonly messages: number;
  /** As its provider reported, or because it was opened or used. */
  readonly delivered: number;
  /** In the inbox, or opened. */
  readonly seen: number;
  readonly read: number;
  /** A link or a button of it was used. */
  readonly clicked: number;
}

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

  /** When the message at a place was created, of those since then, the newest first; undefined if there are fewer. */
  async createdAtPlace(environmentId: Types.ObjectId, since: Date, place: number): Promise<Date | undefined> {
    const [found] = await this.find<Pick<Message, 'createdAt'>>(environmentId, { createdAt: { $gte: since } })
      .sort({ createdAt: -1, _id: -1 })
      .skip(place - 1)
      .limit(1)
      .project<Pick<Message, 'createdAt'>>({ createdAt: 1 })
      .toArray();
    return found?.createdAt;
  }

  /**
   * Of the messages with the content of these steps or variants, by their ids.
   * @param ids 24 hex digits each
   * @param transactions undefined: all
   */
  async ofTemplates(
    environmentId: Types.ObjectId,
    ids: readonly string[],
    since: Date,
    transactions?: readonly string[],
  ): Promise<Map<string, TemplateCounts>> {
    if (ids.length === 0) return new Map();
    const one = (condition: object | string): object => ({ $sum: { $cond: [condition, 1, 0] } });
    const statusIn = (statuses: readonly string[]): object => ({ $in: ['$status', statuses] });
    const rows = this.messages.collection.aggregate<TemplateCounts & { readonly _id: Types.ObjectId }>([
      {
        $match: {
          _environmentId: environmentId,
          ...EVERYTHING,
          ...(transactions && { transactionId: { $in: [...transactions] } }),
          createdAt: { $gte: since },
          _messageTemplateId: { $in: ids.map(toObjectId) },
        },
      },
      {
        $group: {
          _id: '$_messageTemplateId',
          messages: { $sum: 1 },
          delivered: one(statusIn(['delivered', 'opened', 'clicked'])),
          seen: one({ $or: ['$seen', statusIn(['opened', 'clicked'])] }),
          read: one('$read'),
          clicked: one({ $or: [{ $gt: ['$lastActionDate', null] }, statusIn(['clicked'])] }),
        },
      },
    ]);
    const found = new Map<string, TemplateCounts>();
    for await (const { _id, ...counts } of rows) found.set(_id.toHexString(), counts);
    return found;
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
