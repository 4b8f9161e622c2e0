import type { AppConfig } from '#libs/config';
import { connectToStore, databaseOf, ENCRYPTION_KEY_FILE, prepareStore, type Store } from '#libs/persistence';
import { readSecretFile, reseal, type ResealCount, SecretBox, StoreKey, StoreKeyError } from '#libs/secrets';
import { STORE_SCHEMA } from '../../../../src/bootstrap/store-schema.js';
import { CommandEntries, type CommandResult } from '../audit/command-entries.js';
import { SEALED_FIELDS } from '../../../../src/bootstrap/sealed-fields.js';

/** Records that the report lists. */
const MAX_LISTED = 20;

export interface ResealOptions {
  /** Other processes may be using the store. */
  readonly isShared: boolean;
  /** Gives up secrets that no given key opens. */
  readonly acceptLoss: boolean;
}

export interface ResealReport {
  readonly text: string;
  /** False if some secrets still need a former key or cannot be read. */
  readonly isComplete: boolean;
}

/**
 * Finishes a change of the encryption key: seals everything with the current one.
 * @throws {StoreKeyError}
 */
export async function runReseal(config: AppConfig, store: Store, options: ResealOptions): Promise<ResealReport> {
  const box = boxOf(config);
  const { connection, contents } = await connectToStore(store);
  try {
    await prepareStore(databaseOf(connection), contents, STORE_SCHEMA);
    const storeKey = new StoreKey(connection, box, SEALED_FIELDS);
    if (!options.acceptLoss) await enter(storeKey, options);
    const entries = new CommandEntries(databaseOf(connection), config.get('AUDIT_RETENTION_DAYS'));
    const begun = await entries.begin(await entries.ownersOfAll(), {
      action: 'resealSecrets',
      resource: { type: 'store' },
      program: 'herald keys reseal',
    });
    const count = await reseal(connection, box, SEALED_FIELDS);
    const isComplete = isSettled(count);
    if (options.acceptLoss) await storeKey.replaceLost();
    if (isComplete) await storeKey.keepOnlyCurrent();
    await entries.finish(begun, { changes: changesOf(count, options) });
    return { text: describe(count, isComplete, options), isComplete: isComplete || options.acceptLoss };
  } finally {
    await connection.close();
  }
}

/** A Herald without the new key could not read secrets that are sealed with it. */
async function enter(storeKey: StoreKey, { isShared }: ResealOptions): Promise<void> {
  if (isShared && !(await storeKey.isKnown())) {
    throw new StoreKeyError(
      'no Herald process has been started with it yet.',
      'Restart every Herald process with the new STORE_ENCRYPTION_KEY and the previous one in STORE_ENCRYPTION_OLD_KEYS, ' +
        'then run this command with the same settings.',
    );
  }
  await storeKey.join();
}

function changesOf({ fields }: ResealCount, { acceptLoss }: ResealOptions): NonNullable<CommandResult['changes']> {
  const lost = fields.reduce((sum, { unreadable }) => sum + unreadable.length, 0);
  return [
    { path: 'resealed', after: fields.reduce((sum, { resealed }) => sum + resealed, 0) },
    ...(acceptLoss ? [{ path: 'lost', after: lost }] : []),
  ];
}

function boxOf(config: AppConfig): SecretBox {
  const dataDir = config.get('DATA_DIR');
  const current = config.get('STORE_ENCRYPTION_KEY') ?? readSecretFile(dataDir, ENCRYPTION_KEY_FILE);
  if (current === undefined) {
    throw new StoreKeyError(`there is none in ${dataDir}.`, "Set STORE_ENCRYPTION_KEY or DATA_DIR to Herald's values.");
  }
  return new SecretBox([current, ...config.get('STORE_ENCRYPTION_OLD_KEYS')]);
}

function isSettled({ fields, unsettled }: ResealCount): boolean {
  return unsettled === 0 && fields.every(({ unreadable }) => unreadable.length === 0);
}

function describe({ fields, unsettled }: ResealCount, isComplete: boolean, { acceptLoss }: ResealOptions): string {
  const total = fields.reduce((sum, { total }) => sum + total, 0);
  const resealed = fields.reduce((sum, { resealed }) => sum + resealed, 0);
  const lost = fields.flatMap(({ field, unreadable }) => unreadable.map((id) => `  ${field} of ${id}`));
  const lines = [
    `Re-encrypted ${resealed} of ${total} secrets with the current key. The others already used it.`,
    ...fields.map((one) => `  ${one.field}: ${one.resealed} of ${one.total}`),
  ];
  if (lost.length > 0) {
    lines.push(`${lost.length} secrets cannot be read with the given keys:`, ...lost.slice(0, MAX_LISTED));
    if (lost.length > MAX_LISTED) lines.push(`  and ${lost.length - MAX_LISTED} more`);
  }
  lines.push(verdict(isComplete, acceptLoss, lost.length, unsettled));
  return lines.join('\n');
}

function verdict(isComplete: boolean, acceptLoss: boolean, lost: number, unsettled: number): string {
  if (isComplete) {
    return 'All secrets use the current key. Clear STORE_ENCRYPTION_OLD_KEYS and restart every Herald process.';
  }
  if (acceptLoss) return 'Herald now starts with this key. Store the secrets listed above again, or delete them.';
  if (lost > 0) {
    return (
      'Keep STORE_ENCRYPTION_OLD_KEYS. Add the missing key or store these secrets again, then run this command again. ' +
      'If the key is lost, use --accept-loss.'
    );
  }
  return `${unsettled} secrets were changed during the run. Keep STORE_ENCRYPTION_OLD_KEYS, restart every Herald process with the new key, and run this command again.`;
}
