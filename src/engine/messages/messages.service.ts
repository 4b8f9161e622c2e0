import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { mongo } from 'mongoose';
import { CHANNELS, type Channel } from '#libs/channels';
import { AppConfig } from '#libs/config';
import { EventBus, type TenantContext } from '#libs/common';
import { Page } from '#libs/http-kit';
import {
  bySize,
  hasOnlyDuplicates,
  NEWEST_FIRST,
  partialUpdate,
  sharedSize,
  softDeleted,
  type TenantModel,
  type Where,
} from '#libs/persistence';
import { SubscriberSummaries } from '../../management/subscribers/index.js';
import { FeedSignals } from './feed-signals.js';
import type { ListMessagesQuery } from './message.dto.js';
import type { DeletedMessageResponse, ListedMessageResponse } from './message.response.js';
import type { MessageStatus } from './message.enums.js';
import { Message } from './message.schema.js';
import { MessagePresenter } from './message-presenter.js';
import { MessageNotFound, NoMessageOfTransaction } from './messages.errors.js';
import { MessagesDeleted } from './messages.events.js';
import { type MessageOutcome, type NewMessage, newRow, type Retention } from './new-message.js';

const NOT_ACCEPTED: MessageStatus[] = ['pending', 'warning', 'error'];

export type MessageState = Pick<Message, 'seen' | 'read' | 'status'>;

@Injectable()
export class MessagesService {
  private readonly retention: Retention;

  constructor(
    @InjectModel(Message.name) private readonly messages: TenantModel<Message>,
    private readonly subscribers: SubscriberSummaries,
    private readonly presenter: MessagePresenter,
    private readonly events: EventBus,
    private readonly signals: FeedSignals,
    config: AppConfig,
  ) {
    this.retention = { inAppDays: config.get('RETENTION_DAYS_IN_APP'), otherDays: config.get('RETENTION_DAYS') };
  }

  /**
   * Writes messages of any environments in as few calls as their size allows, ignoring those of an earlier run of the
   * step.
   * @returns how many are new
   */
  async insertForEngine(messages: readonly NewMessage[]): Promise<number> {
    if (messages.length === 0) return 0;
    const rows = messages.map((message) => newRow(message, this.retention));
    let inserted = 0;
    // Each message has a copy of its event's payload, so one write of all could block the store.
    for (const portion of bySize(rows, sizeOf)) inserted += await this.insert(portion);
    // Includes those of an earlier run, which may have ended before it announced them.
    this.signals.stored(rows);
    return inserted;
  }

  /** For runs that were canceled meanwhile. */
  async withdraw(messages: readonly Pick<NewMessage, '_id' | '_environmentId'>[]): Promise<void> {
    if (messages.length === 0) return;
    const _environmentId = { $in: messages.map((message) => message._environmentId) };
    await this.messages.collection.deleteMany({ _environmentId, _id: { $in: messages.map(({ _id }) => _id) } });
  }

  private async insert(rows: Message[]): Promise<number> {
    try {
      return (await this.messages.collection.insertMany(rows, { ordered: false, ignoreUndefined: true })).insertedCount;
    } catch (error) {
      const inserted = insertedDespiteDuplicates(error);
      if (inserted === undefined) throw error;
      return inserted;
    }
  }

  /** One call to the store. Skips failures of messages that the provider already has from another attempt. */
  async updateOutcomes(outcomes: readonly MessageOutcome[]): Promise<void> {
    if (outcomes.length === 0) return;
    const updatedAt = new Date();
    const writes = outcomes.map(
      ({ environmentId, subscriberId, messageId, ...changes }): mongo.AnyBulkWriteOperation => {
        const update = partialUpdate({ ...changes, updatedAt });
        const isFailure = changes.status === 'error' || changes.status === 'warning';
        const filter = {
          _id: messageId,
          _environmentId: environmentId,
          _subscriberId: subscriberId,
          ...(isFailure && { status: { $in: NOT_ACCEPTED } }),
        };
        return { updateOne: { filter, update } };
      },
    );
    await this.messages.collection.bulkWrite(writes, { ordered: false });
  }

  async statesOf(tenant: TenantContext, messageIds: readonly string[]): Promise<Map<string, MessageState>> {
    const rows = await this.messages.byIds(tenant, messageIds, { fields: ['seen', 'read', 'status'] });
    return new Map([...rows].map(([id, { seen, read, status }]) => [id, { seen, read, status }]));
  }

  /** Newest first. @throws {SubscriberNotFound} */
  async list(tenant: TenantContext, query: ListMessagesQuery): Promise<Page<ListedMessageResponse>> {
    const { page, limit, channel, subscriberId, transactionId } = query;
    const subscriber = subscriberId && (await this.subscribers.recent(tenant, subscriberId));
    const where: Where<Message> = {
      ...(subscriber && { _subscriberId: subscriber._id }),
      // Every channel by name: the index starts with the channel, and the store merges their orders.
      ...(transactionId ? { transactionId: { $in: transactionId }, ...(channel && { channel }) } : channels(channel)),
    };
    const { rows, hasMore } = await this.messages.page(tenant, where, { page, limit, sort: NEWEST_FIRST });
    return new Page(await this.presenter.listed(tenant, rows), page, limit, hasMore);
  }

  /** @throws {MessageNotFound} */
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

  /** All, or those of one channel. @throws {NoMessageOfTransaction} */
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

const BARE_BYTES = 800;

function sizeOf({ content, payload, overrides }: Message): number {
  const ofContent = typeof content === 'string' ? content.length : 0;
  return BARE_BYTES + ofContent + (payload ? sharedSize(payload) : 0) + (overrides ? sharedSize(overrides) : 0);
}

/** Inserted rows if the only faults are duplicates; undefined for any other fault. */
function insertedDespiteDuplicates(error: unknown): number | undefined {
  return hasOnlyDuplicates(error) ? ((error as { insertedCount?: number }).insertedCount ?? 0) : undefined;
}
