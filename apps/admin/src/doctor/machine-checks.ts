import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { AppConfig } from '#libs/config';
import {
  connectToStore,
  databaseOf,
  describeUri,
  ENCRYPTION_KEY_FILE,
  hasEmbeddedStore,
  UnusableStoreError,
} from '#libs/persistence';
import { openExistingStore } from '../existing-store.js';
import { type Check, fail, messageOf, ok, warn } from './check.js';

const CONNECT_MS = 4_000;
const TOLERATED_MS = 500;
const WRONG_MS = 60_000;
/** Files that let their reader act as Herald or as its users. */
const SECRETS = ['api-key', ENCRYPTION_KEY_FILE, 'session-secret'];
const MEGABYTE = 1_048_576;
const LITTLE = 1_024 * MEGABYTE;
const TOO_LITTLE = 100 * MEGABYTE;

/** The store of the settings, where no running Herald has said how it is. */
export async function checkStore(config: AppConfig): Promise<Check[]> {
  const uri = config.get('MONGODB_URI');
  if (uri !== undefined) return checkMongo(uri);
  const dataDir = config.get('DATA_DIR');
  try {
    if (!hasEmbeddedStore(dataDir)) {
      const advice = 'Start Herald, which creates it, or set DATA_DIR to its data.';
      return [warn('store', `There is no store in ${dataDir} yet.`, advice)];
    }
    const store = await openExistingStore(config, () => undefined);
    await store.close();
    return [ok('store', `The embedded store in ${dataDir} can be opened.`)];
  } catch (error) {
    if (error instanceof UnusableStoreError) return [fail('store', error.message, 'Correct DATA_DIR.')];
    if ((error as Error).name !== 'DataDirLockedError') throw error;
    return [
      warn(
        'store',
        `Another process uses the store in ${dataDir}.`,
        'If that is Herald, set PORT and HOST, or HERALD_URL, to its values.',
      ),
    ];
  }
}

async function checkMongo(uri: string): Promise<Check[]> {
  const where = describeUri(uri);
  const options = { serverSelectionTimeoutMS: CONNECT_MS, connectTimeoutMS: CONNECT_MS, socketTimeoutMS: CONNECT_MS };
  try {
    const { connection } = await connectToStore({ uri, description: `MongoDB at ${where}` }, options);
    try {
      const askedAt = Date.now();
      const { localTime } = (await databaseOf(connection).command({ hello: 1 })) as { localTime?: Date };
      return [ok('store', `MongoDB at ${where} answers.`), ...clockChecks('the store', localTime, askedAt)];
    } finally {
      await connection.destroy();
    }
  } catch (error) {
    if (error instanceof UnusableStoreError) return [fail('store', error.message, 'Correct MONGODB_URI.')];
    return [
      fail('store', `MongoDB at ${where} cannot be reached: ${messageOf(error)}`, 'Start it, or correct MONGODB_URI.'),
    ];
  }
}

/** @param precisionMs how exactly the other one tells its time */
export function clockChecks(other: string, theirs: Date | undefined, askedAt: number, precisionMs = 0): Check[] {
  if (theirs === undefined || Number.isNaN(theirs.getTime())) return [];
  const ownMs = (askedAt + Date.now()) / 2;
  const differenceMs = theirs.getTime() + precisionMs / 2 - ownMs;
  const isSmall = Math.abs(differenceMs) <= TOLERATED_MS + precisionMs + (Date.now() - askedAt);
  if (isSmall) return [ok('clock', `The clock of this machine agrees with that of ${other}.`)];
  const sentence = `The clock of this machine is ${(Math.abs(differenceMs) / 1_000).toFixed(1)} s ${differenceMs > 0 ? 'behind' : 'ahead of'} that of ${other}.`;
  const advice = 'Set the clock of both machines by NTP.';
  return [(Math.abs(differenceMs) > WRONG_MS ? fail : warn)('clock', sentence, advice)];
}

/** Space and rights of the folder with the store and the keys. */
export async function checkDisk(config: AppConfig): Promise<Check[]> {
  const dataDir = config.get('DATA_DIR');
  if (!existsSync(dataDir)) return [];
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return [
      fail(
        'disk',
        `This user may not write to ${dataDir}.`,
        'Run Herald as the owner of the directory, or change its owner.',
      ),
    ];
  }
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const sentence = `${dataDir} has ${free < LITTLE ? `${Math.round(free / MEGABYTE)} MB` : `${(free / LITTLE).toFixed(1)} GB`} of free space.`;
  const advice = 'Free space, or shorten RETENTION_DAYS. A full disk refuses all writes.';
  const space =
    free < TOO_LITTLE
      ? fail('disk', sentence, advice)
      : free < LITTLE
        ? warn('disk', sentence, advice)
        : ok('disk', sentence);
  return [space, ...openSecrets(dataDir)];
}

function openSecrets(dataDir: string): Check[] {
  if (process.platform === 'win32') return [];
  const open = SECRETS.filter((name) => {
    const path = join(dataDir, name);
    return existsSync(path) && (statSync(path).mode & 0o077) !== 0;
  });
  if (open.length === 0) return [];
  return [
    fail(
      'secrets',
      `Other users can read ${open.join(', ')} in ${dataDir}.`,
      `chmod 600 ${open.map((name) => join(dataDir, name)).join(' ')}`,
    ),
  ];
}

/** Redis wakes the workers of other processes. */
export async function checkRedis(config: AppConfig): Promise<Check[]> {
  const url = config.get('REDIS_URL');
  if (url === undefined) return [ok('redis', 'REDIS_URL is not set: one process needs no Redis.')];
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    commandTimeout: CONNECT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let reason: Error | undefined;
  redis.on('error', (error: Error) => (reason = error));
  const where = describeUri(url);
  try {
    await redis.connect();
    const askedAt = Date.now();
    const [seconds, micros] = await redis.time();
    const theirs = new Date(Number(seconds) * 1_000 + Number(micros) / 1_000);
    return [ok('redis', `Redis at ${where} answers.`), ...clockChecks('Redis', theirs, askedAt)];
  } catch (error) {
    const text = messageOf(reason ?? error);
    return [
      fail(
        'redis',
        `Redis at ${where} cannot be used: ${text}`,
        'Start it, or correct REDIS_URL, also its user and password. Until then, workers of other processes find work later.',
      ),
    ];
  } finally {
    redis.disconnect();
  }
}

/** Whether Herald could listen; call it where none is running. */
export async function checkPort(config: AppConfig): Promise<Check[]> {
  const [port, host] = [config.get('PORT'), config.get('HOST')];
  const server = createServer();
  const fault = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    server.once('error', resolve);
    server.listen(port, host, () => resolve(undefined));
  });
  if (fault === undefined) {
    await new Promise((resolve) => server.close(resolve));
    return [ok('port', `Port ${port} of ${host} is free.`)];
  }
  const advice = fault.code === 'EADDRINUSE' ? 'Stop the other program, or set PORT.' : 'Correct HOST and PORT.';
  const sentence =
    fault.code === 'EADDRINUSE'
      ? `Another program that is not Herald listens on port ${port} of ${host}.`
      : `Herald cannot listen on port ${port} of ${host}: ${fault.code ?? fault.message}.`;
  return [fail('port', sentence, advice)];
}
