import { LinkedPage, ValidationFailed } from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import { CREATION, NEWEST_FIRST, type PageRows, type TenantModel, type Where } from '#libs/persistence';
import type { LinkedSubscribersQuery, ListSubscribersQuery } from './subscriber.dto.js';
import { showSubscriber, type SubscriberResponse } from './subscriber.response.js';
import { toSearchKey } from './subscriber-writes.js';
import { KNOWN_TO_KEYS, type Subscriber } from './subscriber.schema.js';

/** Rows that a search by name reaches, because two indexes are merged up to there. */
const MAX_NAME_ROWS = 10_000;

type Environment = Pick<TenantContext, 'environmentId'>;
type NameKey = 'firstName' | 'lastName';

/** Sorts after every text with the same prefix. */
const LAST = '\u{10FFFF}';

/** Newest first, or in the order of the searched field. Every branch has an index. */
export async function listPage(
  subscribers: TenantModel<Subscriber>,
  tenant: Environment,
  query: ListSubscribersQuery,
): Promise<PageRows<Subscriber>> {
  const { email, name, phone, subscriberId, page, limit } = query;
  const where: Where<Subscriber> = {
    ...KNOWN_TO_KEYS,
    ...(subscriberId && { subscriberId: beginsWith(subscriberId) }),
    ...(email && { 'search.email': toSearchKey(email) }),
    ...(phone && { phone }),
  };
  if (name) return listByName(subscribers, tenant, { ...query, where, name: toSearchKey(name) });
  return subscribers.page(tenant, where, { page, limit, sort: subscriberId ? { subscriberId: 1 } : NEWEST_FIRST });
}

/**
 * Merges the indexes of first and last names, reading only names of the rows before the page.
 * @throws {ValidationFailed} for a page beyond {@link MAX_NAME_ROWS}
 */
async function listByName(
  subscribers: TenantModel<Subscriber>,
  tenant: Environment,
  { where, name, page, limit }: { where: Where<Subscriber>; name: string; page: number; limit: number },
): Promise<PageRows<Subscriber>> {
  const end = (page + 1) * limit;
  if (end > MAX_NAME_ROWS) throw new ValidationFailed([beyondReach(limit)]);
  const read = async (key: NameKey): Promise<[string, string][]> => {
    const rows = await subscribers.list(
      tenant,
      { ...where, [`search.${key}`]: beginsWith(name) },
      { fields: ['_id', 'search'], sort: { [`search.${key}`]: 1, _id: -1 }, limit: end + 1 },
    );
    return rows.map((row) => [row._id.toHexString(), row.search?.[key] ?? '']);
  };
  const ids = merge(...(await Promise.all([read('firstName'), read('lastName')])));
  const wanted = ids.slice(page * limit, end);
  const byId = await subscribers.byIds(tenant, wanted);
  return { rows: wanted.flatMap((id) => byId.get(id) ?? []), hasMore: ids.length > end };
}

/**
 * In the order of creation.
 * @throws {ValidationFailed} for a cursor of another order, and for a name that more than {@link MAX_NAME_ROWS} begin with
 */
export async function linkedPage(
  subscribers: TenantModel<Subscriber>,
  tenant: Environment,
  query: LinkedSubscribersQuery,
): Promise<LinkedPage<SubscriberResponse>> {
  const { email, name, phone, subscriberId, orderDirection, ...window } = query;
  const where: Where<Subscriber> = {
    ...KNOWN_TO_KEYS,
    ...(subscriberId && { subscriberId }),
    ...(email && { 'search.email': toSearchKey(email) }),
    ...(phone && { phone }),
    ...(name && { _id: { $in: await idsByName(subscribers, tenant, toSearchKey(name)) } }),
  };
  const [found, counted] = await Promise.all([
    subscribers.linked(tenant, where, { ...window, order: { fields: CREATION, direction: orderDirection } }),
    subscribers.count(tenant, where, LinkedPage.MAX_COUNT + 1),
  ]);
  return LinkedPage.of(found, (row) => showSubscriber(row), counted);
}

async function idsByName(
  subscribers: TenantModel<Subscriber>,
  tenant: Environment,
  name: string,
): Promise<Subscriber['_id'][]> {
  const read = async (key: NameKey): Promise<Subscriber['_id'][]> => {
    const where = { ...KNOWN_TO_KEYS, [`search.${key}`]: beginsWith(name) };
    const rows = await subscribers.list(tenant, where, { fields: ['_id'], limit: MAX_NAME_ROWS + 1 });
    return rows.map(({ _id }) => _id);
  };
  const ids = (await Promise.all([read('firstName'), read('lastName')])).flat();
  if (ids.length > MAX_NAME_ROWS) throw new ValidationFailed([TOO_SHORT_A_NAME]);
  return ids;
}

const TOO_SHORT_A_NAME = `name must be the beginning of at most ${MAX_NAME_ROWS} names: give more of it`;

function beyondReach(limit: number): string {
  const last = Math.floor(MAX_NAME_ROWS / limit) - 1;
  return (
    `page must be at most ${last} with a limit of ${limit} when searching by name: a search reaches ${MAX_NAME_ROWS} ` +
    'subscribers. Give more of the name, or add email, phone or subscriberId.'
  );
}

function merge(byFirst: readonly [string, string][], byLast: readonly [string, string][]): string[] {
  const keys = new Map(byFirst);
  for (const [id, key] of byLast) {
    const other = keys.get(id);
    if (other === undefined || key < other) keys.set(id, key);
  }
  return [...keys].sort(([idA, a], [idB, b]) => compare(a, b) || compare(idB, idA)).map(([id]) => id);
}

function beginsWith(text: string): { $gte: string; $lt: string } {
  return { $gte: text, $lt: text + LAST };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
