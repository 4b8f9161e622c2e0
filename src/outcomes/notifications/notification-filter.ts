import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import type { TenantContext } from '#libs/common';
import { ValidationFailed } from '#libs/http-kit';
import { momentOf } from '#libs/schedule';
import { type NotificationStatus, USUAL_STATUS } from '../../engine/delivery/index.js';
import { SubscribersService } from '../../audience/subscribers/index.js';
import { WorkflowsService } from '../../content/workflows/index.js';
import type { NotificationFilterQuery } from './notification.dto.js';
import { NotificationReads, type RecordFilter } from './notification-reads.js';

/** Subscribers with one email address. */
const MAX_SUBSCRIBERS = 100;
/** Records of one kind that a search matches: above 200 ranges, stores sort everything instead of merging indexes. */
const MAX_FOUND = 50;

@Injectable()
export class NotificationFilter {
  constructor(
    private readonly subscribers: SubscribersService,
    private readonly workflows: WorkflowsService,
    private readonly reads: NotificationReads,
  ) {}

  /**
   * Alternatives, each served by an index in list order; one filter with `$or` would not be. Empty: nothing matches.
   * @throws {ValidationFailed} for a time that ends before it begins
   */
  async build(tenant: TenantContext, query: NotificationFilterQuery): Promise<RecordFilter[]> {
    const { channels, templates, transactionId, deadLetter } = query;
    const named = await this.namedSubscribers(tenant, query);
    const all: RecordFilter = {
      _environmentId: new Types.ObjectId(tenant.environmentId),
      ...(transactionId && { transactionId }),
      ...(channels && { channels: oneOf(channels) }),
      ...(templates && { _templateId: oneOf(templates.map((id) => new Types.ObjectId(id))) }),
      ...(deadLetter === true && { 'steps.deadLetter': true }),
      ...(named && { _subscriberId: oneOf(named) }),
      ...within(query),
    };
    const found = query.search ? await this.search(tenant, query.search) : [{}];
    return byStatus(query).flatMap((state) => found.map((match) => combined({ ...all, ...state }, match)));
  }

  private async namedSubscribers(
    tenant: TenantContext,
    { subscriberIds, emails }: NotificationFilterQuery,
  ): Promise<Types.ObjectId[] | undefined> {
    if (!subscriberIds && !emails) return undefined;
    const byId = await this.subscribers.findByExternalIds(tenant, subscriberIds ?? []);
    const byEmail = await Promise.all((emails ?? []).map((email) => this.find(tenant, { email }, MAX_SUBSCRIBERS)));
    const ids = [...byId.values()].map(({ _id }) => _id).concat(byEmail.flat());
    return ids.map((id) => new Types.ObjectId(id));
  }

  /** A known transaction id takes precedence. */
  private async search(tenant: TenantContext, text: string): Promise<RecordFilter[]> {
    if (await this.reads.hasTransaction(tenant, text)) return [{ transactionId: text }];
    const [transactions, workflows, ...subscribers] = await Promise.all([
      this.reads.transactionsBeginningWith(tenant, text, MAX_FOUND),
      this.workflows.findIdsByText(tenant, text, MAX_FOUND),
      this.find(tenant, { subscriberId: text }, MAX_FOUND),
      this.find(tenant, { email: text }, MAX_FOUND),
      this.find(tenant, { name: text }, MAX_FOUND),
    ]);
    const people = [...new Set(subscribers.flat())].map((id) => new Types.ObjectId(id));
    return [
      ...(transactions.length > 0 ? [{ transactionId: oneOf(transactions) }] : []),
      ...(workflows.length > 0 ? [{ _templateId: oneOf(workflows.map((id) => new Types.ObjectId(id))) }] : []),
      ...(people.length > 0 ? [{ _subscriberId: oneOf(people) }] : []),
    ];
  }

  private async find(
    tenant: TenantContext,
    by: { email?: string; name?: string; subscriberId?: string },
    limit: number,
  ): Promise<string[]> {
    const { data } = await this.subscribers.list(tenant, { page: 0, limit, ...by });
    return data.map(({ _id }) => _id);
  }
}

/** Partial indexes reliably serve only single values. */
function oneOf<T>(values: readonly T[]): T | { $in: T[] } {
  const [first, ...others] = values;
  return first !== undefined && others.length === 0 ? first : { $in: [...values] };
}

/** The first field has an index. */
const UNCERTAIN: RecordFilter = {
  'steps.deadLetter': true,
  steps: { $elemMatch: { deadLetter: true, mayBeSent: true } },
};

/** Finds steps without attempts left in runs of any state. */
function byStatus({ status }: NotificationFilterQuery): RecordFilter[] {
  if (status === undefined) return [{}];
  const states = status.flatMap((one) =>
    one === 'dead' || one === 'uncertain' ? [] : one === 'pending' ? ('active' as const) : one,
  );
  return [
    ...byIndex([...new Set(states)]).map((alike) => ({ status: oneOf(alike) })),
    ...(status.includes('dead') ? [{ 'steps.deadLetter': true }] : []),
    ...(status.includes('uncertain') ? [UNCERTAIN] : []),
  ];
}

/** Rare states are in two indexes, on either side of the usual one. Where that one is asked for as well, most rows match anyway. */
function byIndex(states: readonly NotificationStatus[]): NotificationStatus[][] {
  if (states.includes(USUAL_STATUS)) return [[...states]];
  const sides = [states.filter((one) => one < USUAL_STATUS), states.filter((one) => one > USUAL_STATUS)];
  return sides.filter(({ length }) => length > 0);
}

function combined(filter: RecordFilter, match: RecordFilter): RecordFilter {
  return Object.keys(match).some((key) => key in filter) ? { ...filter, $and: [match] } : { ...filter, ...match };
}

/** Both ends are inclusive. @throws {ValidationFailed} for a time that ends before it begins */
function within({ from, after, to, before }: NotificationFilterQuery): RecordFilter {
  const [start] = moments(from, after).slice(-1);
  const [end] = moments(to, before);
  if (start === undefined && end === undefined) return {};
  if (start !== undefined && end !== undefined && start > end) {
    throw new ValidationFailed(['from (or after) must not be later than to (or before)']);
  }
  return { createdAt: { ...(start && { $gte: start }), ...(end && { $lte: end }) } };
}

/** Earliest first. A time without an offset is in UTC. */
function moments(...texts: readonly (string | undefined)[]): Date[] {
  return texts
    .flatMap((text) => (text === undefined ? [] : [momentOf(text, 'UTC')]))
    .sort((a, b) => a.getTime() - b.getTime());
}
