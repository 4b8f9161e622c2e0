import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Types } from 'mongoose';
import { type TenantModel, toObjectId } from '#libs/persistence';
import { type Person, PORTION } from '../../management/subscribers/index.js';
import { Message } from './message.schema.js';

/** Includes hidden messages. */
@Injectable()
export class MessageErasure {
  constructor(@InjectModel(Message.name) private readonly messages: TenantModel<Message>) {}

  /** Empty when nothing is left. */
  async portion({ environmentId, id }: Person): Promise<Types.ObjectId[]> {
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
