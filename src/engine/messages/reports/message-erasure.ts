import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Types } from 'mongoose';
import { type TenantModel, toObjectId } from '#libs/persistence';
import { type Person, PORTION } from '../../../audience/subscribers/index.js';
import { EarlyEngagements } from './early-engagements.js';
import { Message } from '../records/message.schema.js';
import { PushReceipts } from './push-receipts.js';

/** Includes hidden messages. */
@Injectable()
export class MessageErasure {
  constructor(
    @InjectModel(Message.name) private readonly messages: TenantModel<Message>,
    private readonly early: EarlyEngagements,
    private readonly receipts: PushReceipts,
  ) {}

  /** Empty when nothing is left. What the person did with mails that are not stored yet is removed. */
  async portion({ environmentId, id }: Person): Promise<Types.ObjectId[]> {
    await this.early.removeOf(environmentId, id);
    await this.receipts.removeOf(toObjectId(environmentId), id);
    const rows = await this.messages.list(
      { environmentId },
      { _subscriberId: id },
      { fields: ['_id'], withDeleted: true, limit: PORTION },
    );
    return rows.map(({ _id }) => _id);
  }

  async remove({ environmentId, id }: Person, messageIds: readonly Types.ObjectId[]): Promise<void> {
    await this.messages.collection.deleteMany({
      _id: { $in: [...messageIds] },
      _environmentId: toObjectId(environmentId),
      _subscriberId: id,
    });
  }
}
