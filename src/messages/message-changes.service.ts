import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { TenantModel } from '#libs/persistence';
import type { TenantContext } from '#libs/common';
import { Message } from './message.schema.js';
import { type MessageSummary, SUMMARY_FIELDS, toSummary } from './message-summary.js';

type Environment = Pick<TenantContext, 'environmentId'>;

/** What subscribers do with messages, by the field that says when. */
export type SubscriberDate = 'lastSeenDate' | 'lastReadDate' | 'lastActionDate';

/** Messages for those who tell others of what happens to them: without content and payload. */
@Injectable()
export class MessageChanges {
  constructor(@InjectModel(Message.name) private readonly messages: TenantModel<Message>) {}

  /** By record id; one that is deleted is absent. */
  async findByIds({ environmentId }: Environment, ids: readonly string[]): Promise<Map<string, MessageSummary>> {
    const rows = await this.messages
      .find({ _environmentId: environmentId, _id: { $in: [...new Set(ids)] } }, SUMMARY_FIELDS)
      .lean()
      .exec();
    return new Map(rows.map((row) => [row._id.toHexString(), toSummary(row)]));
  }

  /** Ids of the messages whose date is this moment or later, the earliest first, in batches. */
  async *idsSince(
    { environmentId }: Environment,
    field: SubscriberDate,
    from: Date,
    batch: number,
  ): AsyncGenerator<string[]> {
    const found = this.messages
      .find({ _environmentId: environmentId, [field]: { $gte: from } }, { _id: 1 })
      .sort({ [field]: 1 })
      .lean()
      .cursor({ batchSize: batch });
    let ids: string[] = [];
    for await (const { _id } of found) {
      ids.push(_id.toHexString());
      if (ids.length < batch) continue;
      yield ids;
      ids = [];
    }
    if (ids.length > 0) yield ids;
  }
}
