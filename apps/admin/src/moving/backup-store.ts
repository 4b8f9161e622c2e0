import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type EmbeddedMongoProcess, launchEmbeddedMongo, runningEmbeddedMongo } from '@herald/embedded-mongo';
import { connectToStore, damageHint, ENCRYPTION_KEY_FILE, hasEmbeddedStore } from '#libs/persistence';
import { readSecretFile } from '#libs/secrets';
import { CommandError } from '../run-command.js';
import {
  BACKUP_FORMAT,
  copyDurably,
  DATA_FILE,
  type Manifest,
  publish,
  removeRuntimeFiles,
  sealFile,
  writeDurably,
  writeManifest,
} from './backup-folder.js';
import { contentOf } from './content.js';
import { keyIdsOf, openPlace } from './store-place.js';
import { verifyStore } from './verify-store.js';

/** Files of DATA_DIR that hold keys. */
export const KEY_FILES = [ENCRYPTION_KEY_FILE, 'api-key', 'session-secret'] as const;

export interface BackupOptions {
  readonly dataDir: string;
  /** The folder of the backup; must not exist or be empty. */
  readonly to: string;
  /** Whether the key files of DATA_DIR are part of it. */
  readonly withKeys: boolean;
  /** Receives lines of progress. */
  readonly report: (line: string) => void;
}

/**
 * Makes a consistent backup of an embedded store that Herald may be using, and reads it once in full. The folder gets its
 * name when it is complete: an interrupted backup is no backup.
 * @throws {CommandError}
 */
export async function backupStore({ dataDir, to, withKeys, report }: BackupOptions): Promise<Manifest> {
  const folder = resolve(to);
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new CommandError(`The directory ${folder} is not empty. Use a new directory for each backup.`);
  if (!hasEmbeddedStore(dataDir))
    throw new CommandError(
      `There is no embedded store in the directory ${resolve(dataDir)}. Set DATA_DIR to Herald's data directory.`,
    );
  await assertSound(dataDir, report);
  const draft = `${folder}.partial`;
  await rm(draft, { recursive: true, force: true });
  mkdirSync(join(draft, 'store'), { recursive: true, mode: 0o700 });
  report('taking a snapshot');
  const snapshot = await takeSnapshot(dataDir);
  const data = join(draft, 'store', DATA_FILE);
  await move(join(snapshot, DATA_FILE), data);
  await rm(snapshot, { recursive: true, force: true });
  const content = await readContent(draft, (name) => report(`reading the snapshot: ${name}`));
  const { bytes, sha256 } = await sealFile(data);
  for (const name of withKeys ? KEY_FILES : []) {
    const key = readSecretFile(dataDir, name);
    if (key !== undefined) await writeDurably(join(draft, name), `${key}\n`);
  }
  const manifest = { format: BACKUP_FORMAT, createdAt: new Date().toISOString(), bytes, sha256, ...content } as const;
  await writeManifest(draft, manifest);
  await publish(draft, folder);
  return manifest;
}

/** A backup of damaged data would take the place of one that is sound. @throws {CommandError} */
async function assertSound(dataDir: string, report: (line: string) => void): Promise<void> {
  const { damage, more } = await verifyStore(dataDir, report);
  if (damage.length === 0) return;
  throw new CommandError(
    [
      `The store in ${resolve(dataDir)} is damaged, so that no backup was made:`,
      ...damage.map((sentence) => `  ${sentence}`),
      ...(more > 0 ? [`  and ${more} more`] : []),
      damageHint(dataDir),
    ].join('\n'),
  );
}

/** What a store in a folder of its own holds; tells the collection that it reads, with its place among all. Leaves nothing but its data file behind. */
export async function readContent(
  dataDir: string,
  onCollection: (name: string) => void = () => undefined,
): Promise<Pick<Manifest, 'keyIds' | 'collections'>> {
  const place = await openPlace(dataDir, { mayCreate: false });
  try {
    // Nothing expires while it is read: all records count.
    return {
      keyIds: await keyIdsOf(place.db),
      collections: await contentOf(place.db, Number.NEGATIVE_INFINITY, onCollection),
    };
  } finally {
    await place.close();
    await removeRuntimeFiles(join(dataDir, 'store'));
  }
}

/** @returns the folder of the snapshot, below the data folder */
async function takeSnapshot(dataDir: string): Promise<string> {
  const own = await launchUnlessRunning(dataDir);
  const uri = own?.uri ?? runningEmbeddedMongo(dataDir);
  if (uri === undefined) {
    throw new CommandError(
      'A running Herald process is using the store and cannot be reached from here. Stop it first.',
    );
  }
  try {
    const { connection } = await connectToStore(
      { uri, description: `embedded store in ${dataDir}` },
      { serverSelectionTimeoutMS: 3_000 },
    );
    try {
      const { directory } = await connection.getClient().db('admin').command({ snapshot: 1 });
      return String(directory);
    } finally {
      await connection.destroy();
    }
  } finally {
    await own?.stop();
  }
}

async function launchUnlessRunning(dataDir: string): Promise<EmbeddedMongoProcess | undefined> {
  try {
    return await launchEmbeddedMongo({ dataDir, damageHint: damageHint(dataDir) });
  } catch (error) {
    if ((error as Error).name === 'DataDirLockedError') return undefined;
    throw error;
  }
}

async function move(from: string, to: string): Promise<void> {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await copyDurably(from, to);
  }
}
