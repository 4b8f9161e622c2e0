import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { mongo } from 'mongoose';
import { EventBus, type TenantContext } from '#libs/common';
import type { CallingSubscriber } from '#libs/http-kit';
import { NEWEST_FIRST, softDeleted, type TenantModel, toObjectId, type Where } from '#libs/persistence';
import { FeedsService } from '../../../content/feeds/index.js';
import { SEVERITIES, type Severity } from '../../../content/workflows/index.js';
import { FeedSignals } from '../live/feed-signals.js';
import { type InboxFilter, whereOf } from './inbox-filter.js';
import { INBOX_STATE, type MarkedState } from '../records/marks.js';
import { MarksService } from '../marks/marks.service.js';
import { Message } from '../records/message.schema.js';
import { MessageNotOfSubscriber } from '../marks/messages.errors.js';
import { MessagesDeleted } from '../records/messages.events.js';

/** Counting stops here. */
const MAX_INBOX_COUNT = 99;
/** Messages that are read at once to find those that stand for groups. */
const BATCH = 200;
const HEAD_FIELDS = ['_id', 'createdAt', 'groupKey'] as const satisfies readonly (keyof Message)[];

type Head = Pick<Message, (typeof HEAD_FIELDS)[number]>;

interface FoundGroup extends Omit<MessageGroup, 'key'> {
  readonly _id: string;
  readonly newest: Message['_id'];
}

type Environment = Pick<TenantContext, 'environmentId'>;
type InboxChange = keyof typeof INBOX_STATE;

/** Whose inbox it is. */
export type InboxOwner = Pick<CallingSubscriber, 'id' | 'subscriberId'>;

export interface InboxWindow {
  readonly limit: number;
  /** Last message of the previous page. */
  readonly after?: string;
  readonly offset?: number;
}

/** The messages with the same `groupKey` among those that match. */
export interface MessageGroup {
  readonly key: string;
  readonly count: number;
  readonly unreadCount: number;
}

export interface InboxRows {
  readonly rows: Message[];
  readonly hasMore: boolean;
  /** By the id of the message that stands for the group; only of lists that group. */
  readonly groups?: ReadonlyMap<string, MessageGroup>;
}

export interface UnreadCounts {
  readonly total: number;
  readonly severity: Record<Severity, number>;
}

/** In-app messages, which can be archived and snoozed. */
@Injectable()
export class InboxMessagesService {
  constructor(
    @InjectModel(Message.name) private readonly messages: TenantModel<Message>,
    private readonly marks: MarksService,
    private readonly feeds: FeedsService,
    private readonly events: EventBus,
    private readonly signals: FeedSignals,
  ) {}

  /**
   * Newest first.
   * @throws {MessageNotOfSubscriber} if `after` names no message of the subscriber
   */
  async list(
    tenant: Environment,
    subscriber: InboxOwner,
    filter: InboxFilter,
    { limit, after, offset = 0 }: InboxWindow,
  ): Promise<InboxRows> {
    const where = {
      ...inboxOf(subscriber),
      ...(await this.whereOf(tenant, filter)),
      ...(after !== undefined && (await this.following(tenant, subscriber, filter, after))),
    };
    const found = await this.messages.list(tenant, where, { sort: NEWEST_FIRST, skip: offset, limit: limit + 1 });
    return { rows: found.slice(0, limit), hasMore: found.length > limit };
  }

  /**
   * Like {@link list}, but of the messages of a group only the newest one that matches.
   * @throws {MessageNotOfSubscriber} if `after` names no message of the subscriber
   */
  async listGroups(
    tenant: Environment,
    subscriber: InboxOwner,
    filter: InboxFilter,
    { limit, after, offset = 0 }: InboxWindow,
  ): Promise<InboxRows> {
    const where = { ...inboxOf(subscriber), ...(await this.whereOf(tenant, filter)) };
    const groups = new Map<string, FoundGroup>();
    const heads: Head[] = [];
    let range = after === undefined ? {} : await this.following(tenant, subscriber, filter, after);
    for (let isEnd = false; !isEnd && heads.length <= offset + limit;) {
      const others = { groupKey: { $nin: [...groups.keys()] } };
      const found = { ...where, ...range, ...others };
      const rows = await this.messages.list(tenant, found, { fields: HEAD_FIELDS, sort: NEWEST_FIRST, limit: BATCH });
      for (const group of await this.groupsOf(tenant, where, rows)) groups.set(group._id, group);
      heads.push(
        ...rows.filter(({ _id, groupKey }) => groupKey === undefined || groups.get(groupKey)?.newest.equals(_id)),
      );
      const last = rows.at(-1);
      isEnd = rows.length < BATCH || last === undefined;
      if (last !== undefined) range = below(last, filter);
    }
    const shown = heads.slice(offset, offset + limit);
    const _id = { $in: shown.map((head) => head._id) };
    const rows = await this.messages.list(tenant, { ...inboxOf(subscriber), _id }, { sort: NEWEST_FIRST });
    const byHead = shown.flatMap(({ _id: id, groupKey }): [string, MessageGroup][] => {
      const group = groupKey === undefined ? undefined : groups.get(groupKey);
      return group === undefined ? [] : [[id.toHexString(), { ...group, key: group._id }]];
    });
    return { rows, hasMore: heads.length > offset + limit, groups: new Map(byHead) };
  }

  /** In the order of the filters, each at most {@link MAX_INBOX_COUNT}. */
  count(tenant: Environment, subscriber: Pick<InboxOwner, 'id'>, filters: readonly InboxFilter[]): Promise<number[]> {
    return Promise.all(
      filters.map(async (filter) => {
        const where = { ...inboxOf(subscriber), ...(await this.whereOf(tenant, filter)) };
        return this.messages.count(tenant, where, MAX_INBOX_COUNT);
      }),
    );
  }

  /** Excludes archived and snoozed messages. */
  async unreadCounts(tenant: Environment, subscriber: Pick<InboxOwner, 'id'>): Promise<UnreadCounts> {
    const unread = { read: false, archived: false };
    const filters = [unread, ...SEVERITIES.map((level) => ({ ...unread, severity: [level] }))];
    const [total = 0, ...counts] = await this.count(tenant, subscriber, filters);
    const severity = Object.fromEntries(SEVERITIES.map((level, place) => [level, counts[place] ?? 0]));
    return { total, severity: severity as Record<Severity, number> };
  }

  change(tenant: TenantContext, subscriber: InboxOwner, messageId: string, change: InboxChange): Promise<Message> {
    const where = change === 'unsnooze' ? { snoozedUntil: { $exists: true } } : {};
    return this.enter(tenant, subscriber, messageId, INBOX_STATE[change], where);
  }

  /** Also unarchives the message. */
  snooze(tenant: TenantContext, subscriber: InboxOwner, messageId: string, until: Date): Promise<Message> {
    return this.enter(tenant, subscriber, messageId, { snoozedUntil: until, archived: false });
  }

  /** Except snoozed ones. */
  async changeAll(
    tenant: TenantContext,
    subscriber: InboxOwner,
    change: Exclude<InboxChange, 'unsnooze'>,
    filter: InboxFilter,
  ): Promise<void> {
    const _id = toObjectId(subscriber.id);
    await this.marks.enterAll(tenant, { _id }, INBOX_STATE[change], await this.whereOf(tenant, filter));
  }

  /** @throws {MessageNotOfSubscriber} */
  async get(tenant: TenantContext, subscriber: InboxOwner, messageId: string): Promise<Message> {
    const row = await this.messages.one(tenant, { ...inboxOf(subscriber), _id: toObjectId(messageId) });
    if (row === undefined) throw new MessageNotOfSubscriber(messageId, subscriber.subscriberId);
    return row;
  }

  /** Ignores ids of other subscribers' messages. */
  async markSeen(tenant: TenantContext, subscriber: InboxOwner, messageIds: readonly string[]): Promise<void> {
    const _id = { $in: messageIds.map(toObjectId) };
    await this.marks.enterAll(tenant, { _id: toObjectId(subscriber.id) }, INBOX_STATE.seen, { _id, seen: false });
  }

  async remove(tenant: TenantContext, subscriber: InboxOwner, messageId: string): Promise<void> {
    const own = { ...inboxOf(subscriber), _environmentId: tenant.environmentId, _id: messageId };
    const { matchedCount } = await this.messages.updateOne(own, softDeleted(subscriber.id, new Date()));
    if (matchedCount === 0) throw new MessageNotOfSubscriber(messageId, subscriber.subscriberId);
    this.announceRemoval(tenant, subscriber);
    await this.events.publish(new MessagesDeleted(tenant, { messageId }));
  }

  /** Includes archived and snoozed messages. */
  async removeAll(tenant: TenantContext, subscriber: InboxOwner, filter: InboxFilter): Promise<void> {
    const { snoozedUntil: _any, ...where } = await this.whereOf(tenant, filter);
    const all = { ...where, ...inboxOf(subscriber), _environmentId: toObjectId(tenant.environmentId) };
    const { matchedCount } = await this.messages.updateMany(all, softDeleted(subscriber.id, new Date()));
    if (matchedCount > 0) this.announceRemoval(tenant, subscriber);
  }

  /** Reads feeds only for a filter that names some. */
  private async whereOf(tenant: Environment, filter: InboxFilter): Promise<mongo.Document> {
    return whereOf(filter, filter.feeds && (await this.feeds.idsOf(tenant, filter.feeds)));
  }

  private async groupsOf(
    { environmentId }: Environment,
    where: mongo.Document,
    rows: readonly Head[],
  ): Promise<FoundGroup[]> {
    const keys = new Set(rows.flatMap(({ groupKey }) => groupKey ?? []));
    if (keys.size === 0) return [];
    const own = { ...where, _environmentId: toObjectId(environmentId), deleted: false };
    const found = this.messages.collection.aggregate<FoundGroup>([
      { $match: { ...own, groupKey: { $in: [...keys] } } },
      { $sort: NEWEST_FIRST },
      {
        $group: {
          _id: '$groupKey',
          newest: { $first: '$_id' },
          count: { $sum: 1 },
          unreadCount: { $sum: { $cond: ['$read', 0, 1] } },
        },
      },
    ]);
    return found.toArray();
  }

  private async enter(
    tenant: TenantContext,
    subscriber: InboxOwner,
    messageId: string,
    state: MarkedState,
    where: mongo.Document = {},
  ): Promise<Message> {
    const owner = { _id: toObjectId(subscriber.id) };
    const isInApp = { ...where, channel: 'in_app' };
    const [row] = await this.marks.enter(tenant, owner, [messageId], state, isInApp);
    if (row?.channel !== 'in_app') throw new MessageNotOfSubscriber(messageId, subscriber.subscriberId);
    return row;
  }

  /** The message may have been deleted since. */
  private async following(
    tenant: Environment,
    subscriber: InboxOwner,
    filter: InboxFilter,
    after: string,
  ): Promise<Where<Message>> {
    const own = { _id: toObjectId(after), ...inboxOf(subscriber) };
    const last = await this.messages.one(tenant, own, { fields: HEAD_FIELDS, withDeleted: true });
    if (last === undefined) throw new MessageNotOfSubscriber(after, subscriber.subscriberId);
    return below(last, filter);
  }

  private announceRemoval({ environmentId }: Environment, { id: subscriberId }: InboxOwner): void {
    this.signals.changed([{ environmentId, subscriberId, unseen: true, unread: true }]);
  }
}

/** What stands below a message. */
function below({ createdAt, _id }: Head, { createdFrom, createdTo }: InboxFilter): Where<Message> {
  const end = createdTo !== undefined && createdTo < createdAt ? createdTo : createdAt;
  return {
    // A range of the index; the other condition only orders messages of the same millisecond.
    createdAt: { $lte: end, ...(createdFrom && { $gte: createdFrom }) },
    $nor: [{ createdAt, _id: { $gte: _id } }],
  };
}

function inboxOf({ id }: Pick<InboxOwner, 'id'>): {
  _subscriberId: Message['_subscriberId'];
  channel: 'in_app';
} {
  return { _subscriberId: toObjectId(id), channel: 'in_app' };
}
