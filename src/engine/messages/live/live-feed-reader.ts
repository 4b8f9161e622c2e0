import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { TenantContext } from '#libs/common';
import { OLDEST_FIRST, type TenantModel, toObjectId, type Where } from '#libs/persistence';
import type { Severity } from '../../../content/workflows/index.js';
import type { LiveMessage } from '../views/live-message.js';
import { Message } from '../records/message.schema.js';
import { MessagePresenter } from '../views/message-presenter.js';

/** Counting stops here. */
const MAX_COUNT = 100;

/** Rows read to count for many subscribers at once. */
const MAX_ROWS = 2_000;
const COUNTED_FIELDS = [
  '_subscriberId',
  'archived',
  'snoozedUntil',
  'severity',
] as const satisfies readonly (keyof Message)[];
type CountedRow = Pick<Message, (typeof COUNTED_FIELDS)[number]>;

type Owner = Pick<TenantContext, 'organizationId' | 'environmentId'>;

export interface FeedCount {
  /** At most {@link MAX_COUNT}. */
  readonly count: number;
  readonly hasMore: boolean;
}

export interface UnreadCount extends FeedCount {
  /** Neither archived nor snoozed. */
  readonly inInbox: { readonly total: number; readonly severity: Readonly<Record<Severity, number>> };
}

export interface MessageKeyInTime {
  readonly id: string;
  readonly createdAt: Date;
}

/** For connected browsers. Subscribers are named by record id. */
@Injectable()
export class LiveFeedReader {
  constructor(
    @InjectModel(Message.name) private readonly messages: TenantModel<Message>,
    private readonly presenter: MessagePresenter,
  ) {}

  /** Of any subscribers; by subscriber, oldest first. */
  async messagesByIds(owner: Owner, ids: readonly string[]): Promise<Map<string, LiveMessage[]>> {
    if (ids.length === 0) return new Map();
    const where: Where<Message> = { _id: { $in: ids.map(toObjectId) }, channel: 'in_app' };
    const rows = await this.messages.list(owner, where, { sort: OLDEST_FIRST });
    return this.presenter.live({ ...owner, userId: '', apiKeyId: '' }, rows);
  }

  /** Omits subscribers without any. */
  async countUnseen(owner: Owner, subscriberIds: readonly string[]): Promise<Map<string, FeedCount>> {
    const rows = await this.rowsOf(owner, subscriberIds, { seen: false });
    return new Map([...bySubscriber(rows)].map(([id, own]) => [id, capped(own.length)]));
  }

  /** Omits subscribers without any. */
  async countUnread(owner: Owner, subscriberIds: readonly string[]): Promise<Map<string, UnreadCount>> {
    const rows = await this.rowsOf(owner, subscriberIds, { read: false });
    return new Map([...bySubscriber(rows)].map(([id, own]) => [id, unreadCount(own)]));
  }

  /** Oldest first. @param after only those that follow this one */
  async keysSince(
    owner: Owner,
    subscriberId: string,
    { from, after, limit }: { readonly from: Date; readonly after?: MessageKeyInTime; readonly limit: number },
  ): Promise<MessageKeyInTime[]> {
    const isKnown = after && { createdAt: after.createdAt, _id: { $lte: toObjectId(after.id) } };
    const where: Where<Message> = {
      ...inboxOf(subscriberId),
      createdAt: { $gte: after?.createdAt ?? from },
      ...(isKnown && { $nor: [isKnown] }),
    };
    const rows = await this.messages.list(owner, where, { fields: ['_id', 'createdAt'], sort: OLDEST_FIRST, limit });
    return rows.map(({ _id, createdAt }) => ({ id: _id.toHexString(), createdAt }));
  }

  /** One call of the store while rows are few; at least {@link MAX_COUNT} + 1 of each subscriber, if there are. */
  private async rowsOf(
    owner: Owner,
    subscriberIds: readonly string[],
    state: { readonly seen: false } | { readonly read: false },
  ): Promise<CountedRow[]> {
    if (subscriberIds.length === 0) return [];
    const limit = subscriberIds.length === 1 ? MAX_COUNT + 1 : MAX_ROWS;
    const where = { _subscriberId: { $in: subscriberIds.map(toObjectId) }, channel: 'in_app', ...state } as const;
    const rows = await this.messages.list(owner, where, { fields: COUNTED_FIELDS, limit });
    if (subscriberIds.length === 1 || rows.length < limit) return rows;
    const half = subscriberIds.length >> 1;
    const halves = [subscriberIds.slice(0, half), subscriberIds.slice(half)];
    return (await Promise.all(halves.map((ids) => this.rowsOf(owner, ids, state)))).flat();
  }
}

export const NO_MESSAGES: UnreadCount = unreadCount([]);

function inboxOf(subscriberId: string) {
  return { _subscriberId: toObjectId(subscriberId), channel: 'in_app' } as const;
}

function bySubscriber(rows: readonly CountedRow[]): Map<string, CountedRow[]> {
  const found = new Map<string, CountedRow[]>();
  for (const row of rows) {
    const id = row._subscriberId.toHexString();
    const own = found.get(id);
    if (own === undefined) found.set(id, [row]);
    else own.push(row);
  }
  return found;
}

function unreadCount(rows: readonly CountedRow[]): UnreadCount {
  const severity: Record<Severity, number> = { high: 0, medium: 0, low: 0, none: 0 };
  const inInbox = rows.slice(0, MAX_COUNT).filter((row) => !row.archived && !row.snoozedUntil);
  for (const row of inInbox) severity[row.severity ?? 'none'] += 1;
  return { ...capped(rows.length), inInbox: { total: inInbox.length, severity } };
}

function capped(counted: number): FeedCount {
  return { count: Math.min(counted, MAX_COUNT), hasMore: counted > MAX_COUNT };
}
