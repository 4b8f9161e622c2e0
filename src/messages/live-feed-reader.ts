import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { TenantContext } from '#libs/common';
import { OLDEST_FIRST, type TenantModel, toObjectId, type Where } from '#libs/persistence';
import type { Severity } from '../workflows/index.js';
import type { LiveMessage } from './live-message.js';
import { Message } from './message.schema.js';
import { MessagePresenter } from './message-presenter.js';

/** Where counting ends. */
export const MAX_COUNT = 100;

type Owner = Pick<TenantContext, 'organizationId' | 'environmentId'>;

export interface FeedCount {
  /** At most {@link MAX_COUNT}. */
  readonly count: number;
  readonly hasMore: boolean;
}

export interface UnreadCount extends FeedCount {
  /** Those that the Inbox shows: neither archived nor snoozed. */
  readonly inInbox: { readonly total: number; readonly severity: Readonly<Record<Severity, number>> };
}

/** The place of a message in the order of time. */
export interface MessageKeyInTime {
  readonly id: string;
  readonly createdAt: Date;
}

/** Reads what connected browsers of subscribers are sent. Subscribers are named by their record ids. */
@Injectable()
export class LiveFeedReader {
  constructor(
    @InjectModel(Message.name) private readonly messages: TenantModel<Message>,
    private readonly presenter: MessagePresenter,
  ) {}

  /** In-app messages of any subscribers of an environment, by subscriber, oldest first. */
  async messagesByIds(owner: Owner, ids: readonly string[]): Promise<Map<string, LiveMessage[]>> {
    if (ids.length === 0) return new Map();
    const where: Where<Message> = { _id: { $in: ids.map(toObjectId) }, channel: 'in_app' };
    const rows = await this.messages.list(owner, where, { sort: OLDEST_FIRST });
    return this.presenter.live({ ...owner, userId: '', apiKeyId: '' }, rows);
  }

  async countUnseen(owner: Owner, subscriberId: string): Promise<FeedCount> {
    const where = { ...inboxOf(subscriberId), seen: false };
    return capped(await this.messages.count(owner, where, MAX_COUNT + 1));
  }

  async countUnread(owner: Owner, subscriberId: string): Promise<UnreadCount> {
    const where = { ...inboxOf(subscriberId), read: false };
    const fields = ['archived', 'snoozedUntil', 'severity'] as const;
    const rows = await this.messages.list(owner, where, { fields, limit: MAX_COUNT + 1 });
    const severity: Record<Severity, number> = { high: 0, medium: 0, low: 0, none: 0 };
    const inInbox = rows.slice(0, MAX_COUNT).filter((row) => !row.archived && !row.snoozedUntil);
    for (const row of inInbox) severity[row.severity ?? 'none'] += 1;
    return { ...capped(rows.length), inInbox: { total: inInbox.length, severity } };
  }

  /** The subscriber's in-app messages from a moment on, oldest first. @param after only those that follow this one */
  async keysSince(
    owner: Owner,
    subscriberId: string,
    { from, after, limit }: { readonly from: Date; readonly after?: MessageKeyInTime; readonly limit: number },
  ): Promise<MessageKeyInTime[]> {
    const time: Where<Message> =
      after === undefined
        ? { createdAt: { $gte: from } }
        : {
            $or: [
              { createdAt: { $gt: after.createdAt } },
              { createdAt: after.createdAt, _id: { $gt: toObjectId(after.id) } },
            ],
          };
    const where = { ...inboxOf(subscriberId), ...time };
    const rows = await this.messages.list(owner, where, { fields: ['_id', 'createdAt'], sort: OLDEST_FIRST, limit });
    return rows.map(({ _id, createdAt }) => ({ id: _id.toHexString(), createdAt }));
  }
}

function inboxOf(subscriberId: string) {
  return { _subscriberId: toObjectId(subscriberId), channel: 'in_app' } as const;
}

function capped(counted: number): FeedCount {
  return { count: Math.min(counted, MAX_COUNT), hasMore: counted > MAX_COUNT };
}
