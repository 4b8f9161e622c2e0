import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { mongo } from 'mongoose';
import { EventBus, type TenantContext } from '#libs/common';
import { NEWEST_FIRST, type TenantModel, toObjectId } from '#libs/persistence';
import { FeedsService } from '../../../content/feeds/index.js';
import { SubscriberSummaries, type SubscriberSummary } from '../../../audience/subscribers/index.js';
import { FeedSignals } from '../live/feed-signals.js';
import type { LegacyMarkMessagesDto, MarkAllMessagesDto, MarkMessagesDto } from './message.dto.js';
import { type MessageResponse, showMessage } from '../views/message.response.js';
import { differsFrom, enterState, legacyState, type MarkedState, oppositeOf, STATE_OF } from '../records/marks.js';
import { Message } from '../records/message.schema.js';
import { AwaitedMessagesChanged, MessagesMarked } from '../records/messages.events.js';

@Injectable()
export class MarksService {
  constructor(
    @InjectModel(Message.name) private readonly messages: TenantModel<Message>,
    private readonly subscribers: SubscriberSummaries,
    private readonly feeds: FeedsService,
    private readonly events: EventBus,
    private readonly signals: FeedSignals,
  ) {}

  /** Ignores ids of other subscribers' messages. */
  mark(tenant: TenantContext, subscriberId: string, dto: MarkMessagesDto): Promise<MessageResponse[]> {
    return this.setState(tenant, subscriberId, dto.messageId, STATE_OF[dto.markAs]);
  }

  /** The older form of {@link mark}. */
  markLegacy(tenant: TenantContext, subscriberId: string, dto: LegacyMarkMessagesDto): Promise<MessageResponse[]> {
    return this.setState(tenant, subscriberId, dto.messageId, legacyState(dto.mark));
  }

  /**
   * Changes in-app messages in the opposite state, optionally of some feeds.
   * @returns how many were changed
   */
  async markAll(tenant: TenantContext, subscriberId: string, dto: MarkAllMessagesDto): Promise<number> {
    const subscriber = await this.subscribers.recent(tenant, subscriberId);
    const feedIds = dto.feedIdentifier && (await this.feeds.idsOf(tenant, dto.feedIdentifier));
    const where = { ...oppositeOf(dto.markAs), ...(feedIds && { _feedId: { $in: feedIds } }) };
    return this.enterAll(tenant, subscriber, STATE_OF[dto.markAs], where);
  }

  /** @param where limits the change @returns all of these messages that belong to the subscriber */
  async enter(
    tenant: TenantContext,
    subscriber: Pick<SubscriberSummary, '_id'>,
    messageIds: readonly string[],
    state: MarkedState,
    where: mongo.Document = {},
  ): Promise<Message[]> {
    const _id = { $in: messageIds.map(toObjectId) };
    const differing = differsFrom(state);
    const now = new Date();
    let changes = 0;
    if (differing) {
      // The raw collection, because Mongoose does not cast pipelines.
      const filter = { ...where, ...ownMessages(tenant, subscriber), _id, ...differing };
      changes = (await this.messages.collection.updateMany(filter, enterState(state, now))).modifiedCount;
    }
    const rows = await this.messages.list(tenant, { _id, _subscriberId: subscriber._id }, { sort: NEWEST_FIRST });
    if (changes > 0) this.announce(tenant, subscriber, state);
    // Messages that this call changed have its time, or that of another change since.
    const changed = changes > 0 ? rows.filter(({ updatedAt }) => updatedAt >= now) : [];
    if (changed.length > 0) {
      const ids = changed.map(({ _id }) => _id.toHexString());
      await this.events.publish(new MessagesMarked(tenant, subscriber._id.toHexString(), state, ids));
    }
    await this.announceAwaited(tenant, rows, state);
    return rows;
  }

  /** In-app only. @returns how many were changed */
  async enterAll(
    tenant: TenantContext,
    subscriber: Pick<SubscriberSummary, '_id'>,
    state: MarkedState,
    where: mongo.Document,
  ): Promise<number> {
    const { modifiedCount } = await this.messages.collection.updateMany(
      { ...where, ...ownMessages(tenant, subscriber), channel: 'in_app' },
      enterState(state, new Date()),
    );
    if (modifiedCount > 0) {
      this.announce(tenant, subscriber, state);
      await this.events.publish(new MessagesMarked(tenant, subscriber._id.toHexString(), state));
    }
    return modifiedCount;
  }

  private async announceAwaited(tenant: TenantContext, rows: readonly Message[], state: MarkedState): Promise<void> {
    const awaited = rows.filter((row) => row.awaited === true);
    const events = [...(state.seen === true ? ['message.seen'] : []), ...(state.read === true ? ['message.read'] : [])];
    if (awaited.length === 0 || events.length === 0) return;
    await this.events.publish(new AwaitedMessagesChanged(tenant, events, awaited));
  }

  private async setState(
    tenant: TenantContext,
    subscriberId: string,
    messageIds: readonly string[],
    state: MarkedState,
  ): Promise<MessageResponse[]> {
    const subscriber = await this.subscribers.recent(tenant, subscriberId);
    return (await this.enter(tenant, subscriber, messageIds, state)).map((row) => showMessage(row));
  }

  private announce(
    { environmentId }: TenantContext,
    { _id }: Pick<SubscriberSummary, '_id'>,
    { seen, read, archived, snoozedUntil }: MarkedState,
  ): void {
    const isMoved = archived !== undefined || snoozedUntil !== undefined;
    const change = { environmentId, subscriberId: _id.toHexString() };
    this.signals.changed([{ ...change, unseen: seen !== undefined || isMoved, unread: read !== undefined || isMoved }]);
  }
}

function ownMessages({ environmentId }: TenantContext, { _id }: Pick<SubscriberSummary, '_id'>): mongo.Document {
  return { _environmentId: toObjectId(environmentId), _subscriberId: _id, deleted: false };
}
