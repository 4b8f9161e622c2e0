import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import { commandLine } from '#libs/config';
import { onDuplicateKey } from '../store-errors.js';
import { UnusableStoreError } from '../unusable-store-error.js';
import { SCHEMA, STORE_STATE, type StoreStateRecord, UNFINISHED_COPY } from './store-state.js';

/** A change of stored records that a new version of Herald needs. */
export interface Migration {
  /** 1 for the first one, then without gaps; the schema version of a store is that of its last migration. */
  readonly version: number;
  readonly name: string;
  /**
   * Fills in what records of the version before lack. Its processes may write such records until the last of them has ended, so
   * {@link complete} carries it out again.
   */
  readonly completes?: true;
  /**
   * Changes the records. It may be interrupted at any point and run again, and two processes may run it at once after one of
   * them stood still, so it must be idempotent and work in portions.
   */
  run(db: mongo.Db): Promise<void>;
}

export interface MigrationOptions {
  /** A process that does not renew its lease for this time counts as dead. */
  readonly leaseMs: number;
  readonly pollMs: number;
}

const OPTIONS: MigrationOptions = { leaseMs: 60_000, pollMs: 250 };

/** Each owner of records has a version of its own in the store. */
export interface MigrationScope {
  readonly id: string;
  /** For error texts. */
  readonly program: string;
}

export const HERALD: MigrationScope = { id: SCHEMA, program: 'Herald' };

export function pluginScope(plugin: string): MigrationScope {
  return { id: `plugin:${plugin}`, program: `the plugin '${plugin}'` };
}

/**
 * Records the newest version where nothing is recorded yet: no record needs a change. Another process may do the same.
 * @param sharedWith collections of other applications in the database
 */
export async function begin(
  db: mongo.Db,
  migrations: readonly Migration[],
  { id }: MigrationScope,
  sharedWith: readonly string[] = [],
): Promise<void> {
  const record = { _id: id, version: versionOf(migrations), applied: [], ...(sharedWith.length > 0 && { sharedWith }) };
  await stateOf(db)
    .insertOne(record)
    .then(
      () => undefined,
      onDuplicateKey(() => undefined),
    );
}

/**
 * One of several processes runs the migrations, in order and each recorded once; the others wait.
 * @throws {UnusableStoreError} if the store is that of a newer program or an unfinished copy, or a migration fails
 */
export async function migrate(
  db: mongo.Db,
  migrations: readonly Migration[],
  options = OPTIONS,
  scope = HERALD,
): Promise<void> {
  while (!(await isCurrent(db, migrations, scope))) {
    const lease = await claim(db, options, scope);
    if (lease === undefined) await sleep(options.pollMs);
    else await runPending(db, migrations, { lease, scope, ...options });
  }
}

/** @throws {UnusableStoreError} if the store is that of a newer program or an unfinished copy */
export async function isCurrent(
  db: mongo.Db,
  migrations: readonly Migration[],
  { id, program } = HERALD,
): Promise<boolean> {
  const records = await stateOf(db).find().toArray();
  const copy = records.find(({ _id }) => _id === UNFINISHED_COPY);
  if (copy !== undefined) {
    throw new UnusableStoreError(
      `The store is an unfinished copy of the ${copy.source ?? 'source'}. Run ${commandLine('db:copy')} again to finish it, or drop it.`,
    );
  }
  const version = records.find(({ _id }) => _id === id)?.version ?? 0;
  const known = versionOf(migrations);
  if (version > known) {
    throw new UnusableStoreError(
      `The store has schema version ${version}, and this version of ${program} knows ${known} at most: a newer one has used it. ` +
        'Start the newer version, or restore the backup from before the upgrade (docs/operations.md, Upgrading).',
    );
  }
  return version === known;
}

/** Those that the store lacks, oldest first. @throws {UnusableStoreError} as {@link isCurrent} */
export async function pending(
  db: mongo.Db,
  migrations: readonly Migration[],
  scope = HERALD,
): Promise<readonly Migration[]> {
  if (await isCurrent(db, migrations, scope)) return [];
  const { version: from = 0 } = (await stateOf(db).findOne({ _id: scope.id })) ?? {};
  return migrations.filter(({ version }) => version > from);
}

/** After a rollout: fills in what processes of the former version have written since the migrations. */
export async function complete(db: mongo.Db, migrations: readonly Migration[]): Promise<void> {
  for (const migration of migrations) if (migration.completes) await migration.run(db);
}

function versionOf(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.version ?? 0;
}

function stateOf(db: mongo.Db): mongo.Collection<StoreStateRecord> {
  return db.collection<StoreStateRecord>(STORE_STATE);
}

/** Undefined while another process holds the lease. */
async function claim(db: mongo.Db, { leaseMs }: MigrationOptions, { id }: MigrationScope): Promise<string | undefined> {
  const lease = randomUUID();
  const now = Date.now();
  const isFree = [{ leaseUntil: { $exists: false } }, { leaseUntil: { $lte: new Date(now) } }];
  const claimed = await stateOf(db)
    .findOneAndUpdate(
      { _id: id, $or: isFree },
      { $set: { lease, leaseUntil: new Date(now + leaseMs) }, $setOnInsert: { version: 0, applied: [] } },
      { upsert: true, returnDocument: 'after' },
    )
    .catch(onDuplicateKey(() => null));
  return claimed?.lease === lease ? lease : undefined;
}

interface Holder extends MigrationOptions {
  readonly lease: string;
  readonly scope: MigrationScope;
}

async function runPending(db: mongo.Db, migrations: readonly Migration[], holder: Holder): Promise<void> {
  const own = { _id: holder.scope.id, lease: holder.lease };
  const renewal = setInterval(() => {
    const leaseUntil = new Date(Date.now() + holder.leaseMs);
    // Without an answer the lease ends, and another process continues.
    stateOf(db)
      .updateOne(own, { $set: { leaseUntil } })
      .catch(() => undefined);
  }, holder.leaseMs / 3);
  try {
    for (const migration of await pending(db, migrations, holder.scope)) {
      if (!(await apply(db, migration, own, holder.scope))) return;
    }
  } finally {
    clearInterval(renewal);
    await stateOf(db).updateOne(own, { $unset: { lease: 1, leaseUntil: 1 } });
  }
}

/** @returns false if another process now holds the lease */
async function apply(
  db: mongo.Db,
  migration: Migration,
  own: { _id: string; lease: string },
  scope: MigrationScope,
): Promise<boolean> {
  const { version, name } = migration;
  const startedAt = Date.now();
  try {
    await migration.run(db);
  } catch (error) {
    throw new UnusableStoreError(
      `Migration ${version} (${name}) of ${scope.id === SCHEMA ? 'the store' : scope.program} failed: ${(error as Error).message}. ` +
        'What it changed stays, and the next start continues it.',
      { cause: error },
    );
  }
  const applied = { version, name, at: new Date(), tookMs: Date.now() - startedAt };
  const { matchedCount } = await stateOf(db).updateOne(
    { ...own, version: version - 1 },
    { $set: { version }, $push: { applied } },
  );
  return matchedCount === 1;
}
