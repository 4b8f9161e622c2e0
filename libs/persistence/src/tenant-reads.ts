import type { Model, mongo, Schema, Types } from 'mongoose';
import type { TenantContext } from '#libs/common';
import { countRows, countTogether, type FindCommand, findRows, type Sort } from './direct-read.js';
import { type KeysetOrder, type KeysetWindow, linkedRows, type LinkedRows } from './keyset.js';
import { toObjectId } from './object-ids.js';
import type { PageRequest, PageRows } from './pagination.js';

type Environment = Pick<TenantContext, 'environmentId'>;

/** Conditions on the fields of a record. They are not cast: ids are ObjectIds. */
export type Where<T> = mongo.Filter<Omit<T, '_environmentId' | 'deleted'>> & {
  _environmentId?: never;
  deleted?: never;
};

export interface ReadOptions<Key> {
  /** The fields to read; all if absent. `_id` is always read. */
  readonly fields?: readonly Key[];
  /** Paths not to read, such as large content. */
  readonly without?: readonly string[];
  readonly sort?: Sort;
  /** Also find deleted records. */
  readonly withDeleted?: boolean;
}

/** By the time of creation. Ids alone do not order records that several processes create in one second. */
export const NEWEST_FIRST = { createdAt: -1, _id: -1 } as const;
export const OLDEST_FIRST = { createdAt: 1, _id: 1 } as const;

/**
 * Reads of one environment that skip Mongoose: no casting, hooks or query objects, which cost more than the read itself.
 * Deleted records are hidden.
 *
 * @example
 * const feed = await this.feeds.one(tenant, { identifier });
 * const { rows, hasMore } = await this.tenants.page(tenant, {}, { ...query, sort: NEWEST_FIRST });
 */
export interface TenantReads<T> {
  one<K extends keyof T = keyof T>(
    tenant: Environment,
    where: Where<T>,
    options?: ReadOptions<K>,
  ): Promise<Pick<T, K> | undefined>;
  list<K extends keyof T = keyof T>(
    tenant: Environment,
    where: Where<T>,
    options?: ReadOptions<K> & { readonly limit?: number; readonly skip?: number },
  ): Promise<Pick<T, K>[]>;
  /** Reads one extra row, so that a full last page does not announce another one. */
  page<K extends keyof T = keyof T>(
    tenant: Environment,
    where: Where<T>,
    options: ReadOptions<K> & PageRequest & { readonly sort: Sort },
  ): Promise<PageRows<Pick<T, K>>>;
  /** The page at a cursor, which stays where it is while records come and go. Undefined for a cursor of another order. */
  linked<K extends keyof T = keyof T>(
    tenant: Environment,
    where: Where<T>,
    options: Omit<ReadOptions<K>, 'sort'> & KeysetWindow & { readonly order: KeysetOrder },
  ): Promise<LinkedRows<Pick<T, K>> | undefined>;
  /** The records with these ids, by id, which repeated ids do not change. Each id is 24 hexadecimal digits. */
  byIds<K extends keyof T = keyof T>(
    tenant: Environment,
    ids: Iterable<string>,
    options?: ReadOptions<K>,
  ): Promise<Map<string, Pick<T, K>>>;
  /** @param limit where counting ends; absent: the exact number */
  count(tenant: Environment, where: Where<T>, limit?: number): Promise<number>;
  /**
   * For conditions that an index answers without reading more entries than it counts. What concurrent callers ask is one
   * command, and each waits for all of it.
   */
  countUpTo(tenant: Environment, where: Where<T>, limit: number): Promise<number>;
}

/** Adds {@link TenantReads} to the model. */
export function tenantReads(schema: Schema): void {
  for (const [name, read] of Object.entries(READS)) schema.static(name, read as never);
}

type Self = Model<unknown>;
type AnyWhere = mongo.Document;
type AnyOptions = ReadOptions<string>;

const READS = {
  async one(this: Self, tenant: Environment, where: AnyWhere, options: AnyOptions = {}): Promise<unknown> {
    const [row] = await findRows(this, { ...toFind(tenant, where, options), limit: 1 });
    return row;
  },

  list(
    this: Self,
    tenant: Environment,
    where: AnyWhere,
    { limit, skip, ...options }: AnyOptions & { limit?: number; skip?: number } = {},
  ): Promise<unknown[]> {
    const window = { ...(skip !== undefined && { skip }), ...(limit !== undefined && { limit }) };
    return findRows(this, { ...toFind(tenant, where, options), ...window });
  },

  async page(
    this: Self,
    tenant: Environment,
    where: AnyWhere,
    { page, limit, ...options }: AnyOptions & PageRequest,
  ): Promise<PageRows<unknown>> {
    const window = { skip: page * limit, limit: limit + 1 };
    const rows = await findRows(this, { ...toFind(tenant, where, options), ...window });
    const hasMore = rows.length > limit;
    if (hasMore) rows.pop();
    return { rows, hasMore };
  },

  linked(
    this: Self,
    tenant: Environment,
    where: AnyWhere,
    { order, after, before, limit, includeCursor, ...options }: AnyOptions & KeysetWindow & { order: KeysetOrder },
  ): Promise<LinkedRows<object> | undefined> {
    return linkedRows(order, { after, before, limit, includeCursor }, (range) => {
      const both = Object.keys(range.where).length === 0 ? where : { $and: [where, range.where] };
      return findRows(this, { ...toFind(tenant, both, { ...options, sort: range.sort }), limit: range.limit });
    });
  },

  async byIds(
    this: Self,
    tenant: Environment,
    ids: Iterable<string>,
    options: AnyOptions = {},
  ): Promise<Map<string, unknown>> {
    const $in = Array.from(new Set(ids), toObjectId);
    if ($in.length === 0) return new Map();
    const rows = await findRows<{ _id: Types.ObjectId }>(this, toFind(tenant, { _id: { $in } }, options));
    return new Map(rows.map((row) => [row._id.toHexString(), row]));
  },

  count(this: Self, tenant: Environment, where: AnyWhere, limit?: number): Promise<number> {
    return countRows(this, ownWhere(tenant, where, false), limit);
  },

  countUpTo(this: Self, tenant: Environment, where: AnyWhere, limit: number): Promise<number> {
    return countTogether(this, ownWhere(tenant, where, false), limit);
  },
};

function toFind(tenant: Environment, where: AnyWhere, options: AnyOptions): FindCommand {
  const { fields, without, sort, withDeleted = false } = options;
  const filter = ownWhere(tenant, where, withDeleted);
  const projection = fields ? flags(fields, 1) : without && flags(without, 0);
  return { filter, ...(projection && { projection }), ...(sort && { sort }) };
}

/** Last, so that no condition can replace the environment. */
function ownWhere({ environmentId }: Environment, where: AnyWhere, withDeleted: boolean): mongo.Document {
  return { ...where, _environmentId: toObjectId(environmentId), ...(!withDeleted && { deleted: false }) };
}

function flags<F extends 0 | 1>(paths: readonly string[], flag: F): Record<string, F> {
  return Object.fromEntries(paths.map((path) => [path, flag]));
}
