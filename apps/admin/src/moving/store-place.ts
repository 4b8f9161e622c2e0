import { join, resolve } from 'node:path';
import { type EmbeddedMongoProcess, launchEmbeddedMongo } from '@herald/embedded-mongo';
import type { mongo } from 'mongoose';
import { type AppConfig, commandLine, isConnectionString, WRONG_CONNECTION_STRING } from '#libs/config';
import {
  connectToStore,
  damageHint,
  databaseOf,
  describeUri,
  ENCRYPTION_KEY_FILE,
  hasDataFile,
  hasEmbeddedStore,
  StoreUnreachableError,
  UnusableStoreError,
} from '#libs/persistence';
import { readSecretFile, SecretBox } from '#libs/secrets';
import { CommandError } from '../run-command.js';

const CONNECT_WITHIN_MS = 10_000;
/** The embedded store answers nothing else while it builds an index, which the driver must not take for its end. */
const SILENT_FOR_MS = 60 * 60_000;
/** Between removals of expired records: a copy compares what it has read. */
const DAY_MS = 24 * 60 * 60 * 1000;

/** An open store: a MongoDB, or the embedded store of a data folder, which no other process can use at that time. */
export interface StorePlace {
  readonly db: mongo.Db;
  /** Without credentials; the same at each run. */
  readonly description: string;
  close(): Promise<void>;
}

/** The store of the settings: a connection string, or a data folder. */
export function configuredPlace(config: AppConfig): string {
  return config.get('MONGODB_URI') ?? config.get('DATA_DIR');
}

/**
 * @param place a connection string, or a data folder
 * @param mayCreate false: it must have a store
 * @throws {CommandError}
 * @throws {UnusableStoreError}
 */
export async function openPlace(place: string, { mayCreate }: { readonly mayCreate: boolean }): Promise<StorePlace> {
  if (/^mongodb(\+srv)?:\/\//.test(place)) {
    if (!isConnectionString(place)) throw new CommandError(`The connection string ${WRONG_CONNECTION_STRING}.`);
    return connect(place, `MongoDB at ${describeUri(place)}`, { mayCreate });
  }
  const dataDir = resolve(place);
  // A new store may be meant for the key that is there.
  const isThere = mayCreate ? hasDataFile(dataDir) : hasEmbeddedStore(dataDir);
  if (!isThere && !mayCreate) throw new CommandError(`There is no Herald store in the directory ${dataDir}.`);
  const server = await launch(dataDir);
  try {
    return await connect(server.uri, `embedded store in ${dataDir}`, { mayCreate, server });
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function launch(dataDir: string): Promise<EmbeddedMongoProcess> {
  const onFatal = (error: Error): void => void process.stderr.write(`${error.message}\n`);
  return launchEmbeddedMongo({ dataDir, ttlIntervalMs: DAY_MS, onFatal, damageHint: damageHint(dataDir) }).catch(
    (error: unknown) => {
      if ((error as Error).name !== 'DataDirLockedError') throw error;
      throw new CommandError(
        `${(error as Error).message} Copying needs exclusive access to the store. To copy without stopping Herald, make a backup ` +
          `(${commandLine('backup')}), restore it to another directory, and copy from there.`,
      );
    },
  );
}

interface Opening {
  readonly mayCreate: boolean;
  readonly server?: EmbeddedMongoProcess;
}

async function connect(uri: string, description: string, { mayCreate, server }: Opening): Promise<StorePlace> {
  const options = { serverSelectionTimeoutMS: CONNECT_WITHIN_MS, connectTimeoutMS: SILENT_FOR_MS };
  const { connection, contents } = await connectToStore({ uri, description }, options).catch((error: unknown) => {
    if (error instanceof UnusableStoreError) throw error;
    throw new StoreUnreachableError(description, error);
  });
  const close = async (): Promise<void> => {
    await connection.destroy();
    await server?.stop();
  };
  if (mayCreate || contents.owner === 'herald') return { db: databaseOf(connection), description, close };
  await connection.destroy();
  throw new CommandError(`There is no Herald store in the ${description}: it is empty.`);
}

/** Says whether the secrets of a store can be read with the key of the settings. */
export async function keyNotice({ db }: StorePlace, config: AppConfig): Promise<string> {
  const needed = await keyIdsOf(db);
  if (needed.length === 0) return 'The store contains no secrets.';
  const dataDir = config.get('DATA_DIR');
  const current = config.get('STORE_ENCRYPTION_KEY') ?? readSecretFile(dataDir, ENCRYPTION_KEY_FILE);
  const keys = [current, ...config.get('STORE_ENCRYPTION_OLD_KEYS')].filter((key) => key !== undefined);
  const atHand = keys.map((key) => new SecretBox([key]).currentKeyId);
  const sealed = `Its secrets are encrypted with the key ${needed.join(' and ')}`;
  if (needed.every((id) => atHand.includes(id))) {
    const where =
      config.get('STORE_ENCRYPTION_KEY') === undefined ? join(dataDir, ENCRYPTION_KEY_FILE) : 'STORE_ENCRYPTION_KEY';
    return `${sealed} from ${where}. Set the same STORE_ENCRYPTION_KEY for every Herald process that uses the store.`;
  }
  return `${sealed}, which this command's settings do not contain. To start, Herald needs it in STORE_ENCRYPTION_KEY or in the file ${ENCRYPTION_KEY_FILE} in DATA_DIR.`;
}

/** Fingerprints of the encryption keys that a store is used with. */
export async function keyIdsOf(db: mongo.Db): Promise<string[]> {
  const record = await db.collection<{ _id: string; sealed?: object }>('storeKeys').findOne({ _id: 'check' });
  return Object.keys(record?.sealed ?? {}).sort();
}
