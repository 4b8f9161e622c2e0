import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { mongo } from 'mongoose';
import { EventBus, type TenantContext } from '#libs/common';
import { type TenantModel, toObjectId } from '#libs/persistence';
import { FeedsService } from '../feeds/index.js';
import { SubscribersService } from '../subscribers/index.js';
import type { LegacyMarkMessagesDto, MarkAllMessagesDto, MarkMessagesDto } from './message.dto.js';
import { type MessageResponse, showMessage } from './message.response.js';
import { differsFrom, enterState, legacyState, type MarkedState, oppositeOf, STATE_OF } from './marks.js';
import { Message } from './message.schema.js';
import { MessagesMarked } from './messages.events.js';

@Injectable()
export class MarksService {
  constructor(
    @InjectModel(Message.name) private readonly messages: TenantModel<Message>,
    private readonly subscribers: SubscribersService,
    private readonly feeds: FeedsService,
    private readonly events: EventBus,
  ) {}

  /** Marks messages of the subscriber and returns them; ids of other subscribers' messages are ignored. @throws {SubscriberNotFound} */
  mark(tenant: TenantContext, subscriberId: string, dto: MarkMessagesDto): Promise<MessageResponse[]> {
    return this.setState(tenant, subscriberId, dto.messageId, STATE_OF[dto.markAs]);
  }

  /** The older form of {@link mark}. @throws {SubscriberNotFound} */
  markLegacy(tenant: TenantContext, subscriberId: string, dto: LegacyMarkMessagesDto): Promise<MessageResponse[]> {
    return this.setState(tenant, subscriberId, dto.messageId, legacyState(dto.mark));
  }

  /**
   * Marks all in-app messages of the subscriber, or those of some feeds, that are in the opposite state.
   * @returns how many were changed
   * @throws {SubscriberNotFound}
   */
  async markAll(tenant: TenantContext, subscriberId: string, dto: MarkAllMessagesDto): Promise<number> {
    const subscriber = await this.subscribers.get(tenant, subscriberId);
    const feeds = dto.feedIdentifier && (await this.feeds.findByIdentifiers(tenant, dto.feedIdentifier));
    const state = STATE_OF[dto.markAs];
    const { modifiedCount } = await this.messages.collection.updateMany(
      {
        ...ownMessages(tenant, subscriber._id),
        channel: 'in_app',
        ...oppositeOf(dto.markAs),
        ...(feeds && { _feedId: { $in: feeds.map(({ _id }) => toObjectId(_id)) } }),
      },
      enterState(state, new Date()),
    );
    if (modifiedCount > 0) await this.events.publish(new MessagesMarked(tenant, subscriber._id, state));
    return modifiedCount;
  }

  private async setState(
    tenant: TenantContext,
    subscriberId: string,
    messageIds: readonly string[],
    state: MarkedState,
  ): Promise<MessageResponse[]> {
    const subscriber = await this.subscribers.get(tenant, subscriberId);
    const wanted = { ...ownMessages(tenant, subscriber._id), _id: { $in: messageIds.map(toObjectId) } };
    const differing = differsFrom(state);
    const now = new Date();
    // The raw collection, because Mongoose does not cast pipelines.
    if (differing) await this.messages.collection.updateMany({ ...wanted, ...differing }, enterState(state, now));
    const rows = await this.messages
      .find({ ...wanted, _environmentId: tenant.environmentId })
      .sort({ createdAt: -1, _id: -1 })
      .lean()
      .exec();
    // Messages that this call changed carry its time.
    const changed = rows.filter(({ updatedAt }) => updatedAt.getTime() === now.getTime());
    if (changed.length > 0) {
      const ids = changed.map(({ _id }) => _id.toHexString());
      await this.events.publish(new MessagesMarked(tenant, subscriber._id, state, ids));
    }
    return rows.map((row) => showMessage(row));
  }
}

function ownMessages(tenant: TenantContext, subscriberRecordId: string): mongo.Document {
  return {
    _environmentId: toObjectId(tenant.environmentId),
    _subscriberId: toObjectId(subscriberRecordId),
    deleted: false,
  };
}
