import type { mongo } from 'mongoose';
import { SCHEMA, STORE_STATE, type StoreStateRecord, UNFINISHED_COPY } from './store-state.js';
import { UnusableStoreError } from '../unusable-store-error.js';

/** Whose a database is. */
export interface StoreContents {
  /** `nobody`: it is empty; `others`: it has data, and Herald has never used it. */
  readonly owner: 'nobody' | 'herald' | 'others';
  /** Collections of other applications in it, as far as Herald knows. */
  readonly others: readonly string[];
}

/** Together only in stores of the first versions, which recorded nothing about themselves. */
const OF_FIRST_VERSIONS = ['apiKeys', 'notificationGroups', 'triggerEvents', 'workflowSnapshots'];

/** Only reads. A user of the database who may see a part of it is shown that part. */
export async function contentsOf(db: mongo.Db): Promise<StoreContents> {
  // In this order: Herald records its state before it creates anything else.
  const names = await collectionsOf(db);
  const state = names.includes(STORE_STATE) ? await stateOf(db) : [];
  const own = state.find(({ _id }) => _id === SCHEMA || _id === UNFINISHED_COPY);
  if (own !== undefined) return { owner: 'herald', others: own.sharedWith ?? [] };
  if (OF_FIRST_VERSIONS.every((name) => names.includes(name))) return { owner: 'herald', others: [] };
  // A first start may have ended after the first record of a plugin, or before any record.
  const isBegun = state.every(({ _id }) => String(_id).startsWith('plugin:'));
  const others = names.filter((name) => name !== STORE_STATE || !isBegun);
  return { owner: others.length === 0 ? 'nobody' : 'others', others };
}

async function collectionsOf(db: mongo.Db): Promise<string[]> {
  const all = db.listCollections({}, { nameOnly: true, authorizedCollections: true, readPreference: 'primary' });
  const names = (await all.toArray()).map(({ name }) => name);
  return names.filter((name) => !name.startsWith('system.')).sort();
}

function stateOf(db: mongo.Db): Promise<Pick<StoreStateRecord, '_id' | 'sharedWith'>[]> {
  const options = { projection: { sharedWith: 1 }, readPreference: 'primary' } as const;
  return db.collection<StoreStateRecord>(STORE_STATE).find({}, options).toArray();
}

/** Herald has never used the database, and somebody else has. */
export function foreignDatabase(where: string, others: readonly string[]): UnusableStoreError {
  return new UnusableStoreError(
    `${where} has no data of Herald, but ${listed(others)} of another application, so nothing was written to it: give Herald a ` +
      `database of its own (${ELSEWHERE}), or start it with ALLOW_SHARED_DATABASE=1 to begin a new store beside the other data.`,
  );
}

/** @throws {UnusableStoreError} if records of Herald and of another application would be in one collection */
export function assertApart(where: string, others: readonly string[], own: readonly string[]): void {
  const both = others.filter((name) => own.includes(name));
  if (both.length === 0) return;
  throw new UnusableStoreError(
    `${where} cannot be shared, because ${listed(both)} of another application ${both.length === 1 ? 'has a name' : 'have names'} ` +
      `that Herald uses, so nothing was written to it: give Herald a database of its own (${ELSEWHERE}).`,
  );
}

const ELSEWHERE = 'MONGODB_URI or DATA_DIR; to move from Novu, see docs/manual/moving.md';

const LISTED = 3;

function listed(names: readonly string[]): string {
  const first = names.slice(0, LISTED);
  if (names.length === 1) return `the collection ${first.join()}`;
  const more = names.length > LISTED ? ', ...' : '';
  return `${names.length} collections (${first.join(', ')}${more})`;
}
