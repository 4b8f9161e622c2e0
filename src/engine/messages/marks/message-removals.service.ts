import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Types } from 'mongoose';
import type { TenantContext } from '#libs/common';
import { softDeleted, type TenantModel, toObjectId } from '#libs/persistence';
import { SubscriberSummaries, type SubscriberSummary } from '../../../audience/subscribers/index.js';
import { FeedSignals } from '../live/feed-signals.js';
import { type MessageResponse, showMessage } from '../views/message.response.js';
import { Message } from '../records/message.schema.js';
import { MessageNotOfSubscriber } from './messages.errors.js';

/** Removed messages are kept as deleted records. */
@Injectable()
export class MessageRemovalsService {
  constructor(
    @InjectModel(Message.name) private readonly messages: TenantModel<Message>,
    private readonly subscribers: SubscriberSummaries,
    private readonly signals: FeedSignals,
  ) {}

  /** @returns the updated message */
  async remove(tenant: TenantContext, subscriberId: string, messageId: string): Promise<MessageResponse> {
    const subscriber = await this.subscribers.recent(tenant, subscriberId);
    const row = await this.messages
      .findOneAndUpdate({ ...feedOf(tenant, subscriber), _id: messageId }, deletion(tenant), {
        returnDocument: 'after',
      })
      .lean()
      .exec();
    if (row === null) throw new MessageNotOfSubscriber(messageId, subscriberId);
    this.announce(tenant, subscriber, { unseen: !row.seen, unread: !row.read });
    return showMessage(row);
  }

  /**
   * Ignores messages outside the feed.
   * @returns how many were removed
   */
  async removeMany(tenant: TenantContext, subscriberId: string, messageIds: readonly string[]): Promise<number> {
    return this.removeWhere(tenant, subscriberId, { _id: { $in: messageIds.map(toObjectId) } });
  }

  /**
   * @param feedId record id; only messages of this feed
   * @returns how many were removed
   */
  async removeAll(tenant: TenantContext, subscriberId: string, feedId?: string): Promise<number> {
    return this.removeWhere(tenant, subscriberId, feedId === undefined ? {} : { _feedId: toObjectId(feedId) });
  }

  private async removeWhere(
    tenant: TenantContext,
    subscriberId: string,
    where: { readonly _id?: { readonly $in: Types.ObjectId[] }; readonly _feedId?: Types.ObjectId },
  ): Promise<number> {
    const subscriber = await this.subscribers.recent(tenant, subscriberId);
    const filter = { ...feedOf(tenant, subscriber), ...where };
    const { modifiedCount } = await this.messages.updateMany(filter, deletion(tenant));
    if (modifiedCount > 0) this.announce(tenant, subscriber, { unseen: true, unread: true });
    return modifiedCount;
  }

  private announce(
    { environmentId }: TenantContext,
    { _id }: SubscriberSummary,
    counts: { readonly unseen: boolean; readonly unread: boolean },
  ): void {
    this.signals.changed([{ environmentId, subscriberId: _id.toHexString(), ...counts }]);
  }
}

function feedOf(
  { environmentId }: TenantContext,
  { _id }: SubscriberSummary,
): { _environmentId: Types.ObjectId; _subscriberId: Types.ObjectId; channel: 'in_app' } {
  return { _environmentId: toObjectId(environmentId), _subscriberId: _id, channel: 'in_app' };
}

function deletion({ apiKeyId }: TenantContext): ReturnType<typeof softDeleted> {
  return softDeleted(apiKeyId, new Date());
}
