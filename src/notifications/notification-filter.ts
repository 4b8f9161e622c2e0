import { Injectable } from '@nestjs/common';
import { DateTime } from 'luxon';
import { type mongo, Types } from 'mongoose';
import type { TenantContext } from '#libs/common';
import { ValidationFailed } from '#libs/http-kit';
import type { NotificationRecord } from '../delivery/index.js';
import { SubscribersService } from '../subscribers/index.js';
import type { ListNotificationsQuery } from './notification.dto.js';
import { NotificationReads } from './notification-reads.js';

type Filter = mongo.Filter<NotificationRecord>;

/** Maximum number of subscribers that one search matches. */
const MAX_SUBSCRIBERS = 100;

@Injectable()
export class NotificationFilter {
  constructor(
    private readonly subscribers: SubscribersService,
    private readonly reads: NotificationReads,
  ) {}

  async build(tenant: TenantContext, query: ListNotificationsQuery): Promise<Filter> {
    const { channels, templates, transactionId, status, deadLetter } = query;
    const conditions: Filter[] = [];
    const named = await this.namedSubscribers(tenant, query);
    if (named !== undefined) conditions.push({ _subscriberId: { $in: named } });
    if (query.search) conditions.push(await this.search(tenant, query.search));
    return {
      _environmentId: new Types.ObjectId(tenant.environmentId),
      ...(transactionId && { transactionId }),
      ...(channels && { channels: { $in: channels } }),
      ...(templates && { _templateId: { $in: templates.map((id) => new Types.ObjectId(id)) } }),
      ...(status && { status: { $in: status.map((one) => (one === 'pending' ? 'active' : one)) } }),
      ...(deadLetter === true && { 'steps.deadLetter': true }),
      ...within(query),
      ...(conditions.length > 0 && { $and: conditions }),
    };
  }

  private async namedSubscribers(
    tenant: TenantContext,
    { subscriberIds, emails }: ListNotificationsQuery,
  ): Promise<Types.ObjectId[] | undefined> {
    if (!subscriberIds && !emails) return undefined;
    const byId = await this.subscribers.findByExternalIds(tenant, subscriberIds ?? []);
    const byEmail = await Promise.all((emails ?? []).map((email) => this.find(tenant, { email })));
    const ids = [...byId.values()].map(({ _id }) => _id).concat(byEmail.flat());
    return ids.map((id) => new Types.ObjectId(id));
  }

  /** A known transaction id takes precedence: an `$or` of both meanings could not use an index. */
  private async search(tenant: TenantContext, text: string): Promise<Filter> {
    if (await this.reads.hasTransaction(tenant, text)) return { transactionId: text };
    const [byId, byEmail, byName] = await Promise.all([
      this.subscribers.findByExternalIds(tenant, [text]),
      this.find(tenant, { email: text }),
      this.find(tenant, { name: text }),
    ]);
    const ids = [...[...byId.values()].map(({ _id }) => _id), ...byEmail, ...byName];
    return { _subscriberId: { $in: ids.map((id) => new Types.ObjectId(id)) } };
  }

  private async find(tenant: TenantContext, by: { email?: string; name?: string }): Promise<string[]> {
    const { data } = await this.subscribers.list(tenant, { page: 0, limit: MAX_SUBSCRIBERS, ...by });
    return data.map(({ _id }) => _id);
  }
}

/** Both ends are inclusive. @throws {ValidationFailed} for a time that ends before it begins */
function within({ from, after, to, before }: ListNotificationsQuery): Filter {
  const [start] = moments(from, after).slice(-1);
  const [end] = moments(to, before);
  if (start === undefined && end === undefined) return {};
  if (start !== undefined && end !== undefined && start > end) {
    throw new ValidationFailed(['from (or after) must not be later than to (or before)']);
  }
  return { createdAt: { ...(start && { $gte: start }), ...(end && { $lte: end }) } };
}

/** The given times, earliest first. A time without an offset is in UTC. */
function moments(...texts: readonly (string | undefined)[]): Date[] {
  return texts
    .flatMap((text) => (text === undefined ? [] : [DateTime.fromISO(text, { zone: 'utc' }).toJSDate()]))
    .sort((a, b) => a.getTime() - b.getTime());
}
