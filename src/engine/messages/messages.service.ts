import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { CHANNELS, type Channel } from '#libs/channels';
import { EventBus, type TenantContext } from '#libs/common';
import { Page } from '#libs/http-kit';
import { NEWEST_FIRST, softDeleted, type TenantModel, type Where } from '#libs/persistence';
import { SubscriberSummaries } from '../../audience/subscribers/index.js';
import { FeedSignals } from './live/feed-signals.js';
import type { ListMessagesQuery } from './marks/message.dto.js';
import type { DeletedMessageResponse, ListedMessageResponse } from './views/message.response.js';
import { Message } from './records/message.schema.js';
import { MessagePresenter } from './views/message-presenter.js';
import { MessageNotFound, NoMessageOfTransaction } from './marks/messages.errors.js';
import { MessagesDeleted } from './records/messages.events.js';

@Injectable()
export class MessagesService {
  constructor(
    @InjectModel(Message.name) private readonly messages: TenantModel<Message>,
    private readonly subscribers: SubscriberSummaries,
    private readonly presenter: MessagePresenter,
    private readonly events: EventBus,
    private readonly signals: FeedSignals,
  ) {}

  /** Newest first. */
  async list(tenant: TenantContext, query: ListMessagesQuery): Promise<Page<ListedMessageResponse>> {
    const { page, limit, channel, subscriberId, transactionId } = query;
    const subscriber = subscriberId && (await this.subscribers.recent(tenant, subscriberId));
    const where: Where<Message> = {
      ...(subscriber && { _subscriberId: subscriber._id }),
      // Every channel by name: the index starts with the channel, and the store merges their orders.
      ...(transactionId ? { transactionId: { $in: transactionId }, ...(channel && { channel }) } : channels(channel)),
    };
    const reading = { page, limit, sort: NEWEST_FIRST, without: ['caught'] };
    const { rows, hasMore } = await this.messages.page(tenant, where, reading);
    return new Page(await this.presenter.listed(tenant, rows), page, limit, hasMore);
  }

  async remove(tenant: TenantContext, messageId: string): Promise<DeletedMessageResponse> {
    const removed = await this.messages
      .findOneAndUpdate(
        { _id: messageId, _environmentId: tenant.environmentId },
        softDeleted(tenant.apiKeyId, new Date()),
        { projection: { _subscriberId: 1, channel: 1 } },
      )
      .lean()
      .exec();
    if (removed === null) throw new MessageNotFound(messageId);
    if (removed.channel === 'in_app') this.signals.removed(tenant, [removed._subscriberId.toHexString()]);
    await this.events.publish(new MessagesDeleted(tenant, { messageId }));
    return { acknowledged: true, status: 'deleted' };
  }

  /** All, or those of one channel. */
  async removeByTransaction(tenant: TenantContext, transactionId: string, channel?: Channel): Promise<void> {
    const { matchedCount } = await this.messages.updateMany(
      { _environmentId: tenant.environmentId, transactionId, ...(channel && { channel }) },
      softDeleted(tenant.apiKeyId, new Date()),
    );
    if (matchedCount === 0) throw new NoMessageOfTransaction(transactionId);
    if (channel === undefined || channel === 'in_app') await this.announceRemoval(tenant, transactionId);
    await this.events.publish(new MessagesDeleted(tenant, { transactionId }));
  }

  private async announceRemoval(tenant: TenantContext, transactionId: string): Promise<void> {
    if (!this.signals.isHeard) return;
    const where = { transactionId, channel: 'in_app' } as const;
    const rows = await this.messages.list(tenant, where, { fields: ['_subscriberId'], withDeleted: true });
    this.signals.removed(
      tenant,
      rows.map(({ _subscriberId }) => _subscriberId.toHexString()),
    );
  }
}

function channels(channel: Channel | undefined): { channel: Channel | { $in: Channel[] } } {
  return { channel: channel ?? { $in: [...CHANNELS] } };
}
