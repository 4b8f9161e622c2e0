import { type PageRows, readPage, type TenantFilter, type TenantModel } from '#libs/persistence';
import type { ListSubscribersQuery } from './dto/list-subscribers.query.dto.js';
import { toSearchKey } from './subscriber-updates.js';
import type { Subscriber } from './subscriber.schema.js';

type Filter = TenantFilter<Subscriber>;
type NameKey = 'firstName' | 'lastName';

/** Sorts after every text that begins the same. */
const LAST = '\u{10FFFF}';

/**
 * One page of subscribers: newest first, or, where the beginning of something is searched for, in the order of that.
 * Every branch is served by an index.
 */
export async function listPage(
  subscribers: TenantModel<Subscriber>,
  environmentId: string,
  query: ListSubscribersQuery,
): Promise<PageRows<Subscriber>> {
  const { email, name, phone, subscriberId } = query;
  const filter = {
    _environmentId: environmentId,
    ...(subscriberId && { subscriberId: beginsWith(subscriberId) }),
    ...(email && { 'search.email': toSearchKey(email) }),
    ...(phone && { phone }),
  } as Filter;
  if (name) return listByName(subscribers, filter, toSearchKey(name), query);
  const sort: Record<string, 1 | -1> = subscriberId ? { subscriberId: 1 } : { _id: -1 };
  return readPage<Subscriber>(subscribers.find(filter).sort(sort).lean(), query);
}

/** First and last names have an index each, so each is read in its order, and the two are merged. */
async function listByName(
  subscribers: TenantModel<Subscriber>,
  filter: Filter,
  name: string,
  { page, limit }: ListSubscribersQuery,
): Promise<PageRows<Subscriber>> {
  const end = (page + 1) * limit + 1;
  const read = (key: NameKey): Promise<Subscriber[]> =>
    subscribers
      .find({ ...filter, [`search.${key}`]: beginsWith(name) })
      .sort({ [`search.${key}`]: 1, _id: -1 })
      .limit(end)
      .lean()
      .exec();
  const [byFirst, byLast] = await Promise.all([read('firstName'), read('lastName')]);
  const found = new Map<string, { key: string; row: Subscriber }>();
  for (const row of byFirst) found.set(row._id.toHexString(), { key: row.search?.firstName ?? '', row });
  for (const row of byLast) {
    const id = row._id.toHexString();
    const key = row.search?.lastName ?? '';
    const other = found.get(id);
    if (other === undefined || key < other.key) found.set(id, { key, row });
  }
  const rows = [...found]
    .sort(([idA, a], [idB, b]) => compare(a.key, b.key) || compare(idB, idA))
    .map(([, { row }]) => row);
  return { rows: rows.slice(page * limit, end - 1), hasMore: rows.length >= end };
}

function beginsWith(text: string): { $gte: string; $lt: string } {
  return { $gte: text, $lt: text + LAST };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
