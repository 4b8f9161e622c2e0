import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { TenantContext } from '#libs/common';
import { type TenantModel, toObjectId, type Where } from '#libs/persistence';
import { type ResolvedSubscriber, toResolved } from './resolved-subscriber.js';
import { showSubscriber, type SubscriberResponse } from './subscriber.response.js';
import { KNOWN_TO_KEYS, Subscriber } from './subscriber.schema.js';

type Environment = Pick<TenantContext, 'environmentId'>;
type Id = Subscriber['_id'];

/** A filter of the store. */
export type SubscriberFilter = Readonly<Record<string, unknown>>;

export interface SubscriberPage {
  readonly subscribers: ResolvedSubscriber[];
  /** After which record the next page begins; absent on the last one. */
  readonly next?: string;
}

export interface SubscriberCount {
  readonly count: number;
  /** False if it was ended because it took too long. */
  readonly isExact: boolean;
}

/** Records that one command looks at, so that a filter that few pass does not occupy the store. */
const PAGE_WINDOW = 2_000;
const COUNT_WINDOW = 20_000;
const MAX_COUNT_MS = 5_000;

/** Subscribers who pass a filter, in the order of record ids. The store reads all of them, some thousands at a time. */
@Injectable()
export class SubscriberSelection {
  constructor(@InjectModel(Subscriber.name) private readonly subscribers: TenantModel<Subscriber>) {}

  /** Can be empty although there are more. @param options.after last record id of the page before */
  async page(
    tenant: Environment,
    filter: SubscriberFilter,
    { after, limit }: { readonly after?: string | undefined; readonly limit: number },
  ): Promise<SubscriberPage> {
    const from = after === undefined ? undefined : toObjectId(after);
    const end = await this.endOfWindow(tenant, from, PAGE_WINDOW);
    const rows = await this.rows(tenant, filter, { from, end, limit });
    const next = rows.length === limit ? rows.at(-1)?._id : end;
    return { subscribers: rows.map(toResolved), ...(next && { next: next.toHexString() }) };
  }

  async count(tenant: Environment, filter: SubscriberFilter): Promise<SubscriberCount> {
    const deadline = performance.now() + MAX_COUNT_MS;
    let count = 0;
    let from: Id | undefined;
    do {
      const end = await this.endOfWindow(tenant, from, COUNT_WINDOW);
      count += await this.subscribers.count(tenant, within(filter, from, end));
      from = end;
    } while (from !== undefined && performance.now() < deadline);
    return { count, isExact: from === undefined };
  }

  async first(tenant: Environment, filter: SubscriberFilter, limit: number): Promise<SubscriberResponse[]> {
    const deadline = performance.now() + MAX_COUNT_MS;
    const found: Subscriber[] = [];
    let from: Id | undefined;
    do {
      const end = await this.endOfWindow(tenant, from, COUNT_WINDOW);
      found.push(...(await this.rows(tenant, filter, { from, end, limit: limit - found.length })));
      from = end;
    } while (from !== undefined && found.length < limit && performance.now() < deadline);
    return found.map((row) => showSubscriber(row));
  }

  private rows(
    tenant: Environment,
    filter: SubscriberFilter,
    { from, end, limit }: { readonly from: Id | undefined; readonly end: Id | undefined; readonly limit: number },
  ): Promise<Subscriber[]> {
    return this.subscribers.list(tenant, within(filter, from, end), { sort: { _id: 1 }, limit });
  }

  /** The last record of a window; undefined if fewer are left. */
  private async endOfWindow(tenant: Environment, from: Id | undefined, size: number): Promise<Id | undefined> {
    const where = from === undefined ? {} : { _id: { $gt: from } };
    const [last] = await this.subscribers.list(tenant, where, {
      fields: ['_id'],
      sort: { _id: 1 },
      skip: size - 1,
      limit: 1,
    });
    return last?._id;
  }
}

function within(filter: SubscriberFilter, from: Id | undefined, end: Id | undefined): Where<Subscriber> {
  const range = { ...(from && { $gt: from }), ...(end && { $lte: end }) };
  return { $and: [filter], ...KNOWN_TO_KEYS, ...((from ?? end) && { _id: range }) };
}
