import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type AppConfig, commandLine } from '#libs/config';
import { damageHint } from '#libs/persistence';
import { verifyStore } from '../moving/verify-store.js';
import { type Check, fail, messageOf, ok, warn } from './check.js';

/** What reading everything in the embedded store finds: a failure for each damage. */
export async function verifyData(config: AppConfig, report: (line: string) => void): Promise<Check[]> {
  if (config.get('MONGODB_URI') !== undefined) {
    const advice = 'MongoDB verifies its own data: run its command validate for each collection.';
    return [fail('store', 'MONGODB_URI is set, and --verify reads the embedded store only.', advice)];
  }
  const dataDir = config.get('DATA_DIR');
  if (!existsSync(join(dataDir, 'store', 'data.mdb')))
    return [fail('store', `There is no store in ${dataDir}.`, 'Set DATA_DIR to the data of Herald.')];
  const { damage, more, totals } = await verifyStore(dataDir, report).catch((error: unknown) => ({
    damage: [`the store in ${dataDir} could not be read: ${messageOf(error)}`],
    more: 0,
    totals: undefined,
  }));
  if (damage.length === 0 && totals !== undefined) {
    const { collections, documents, entries, unsealed } = totals;
    const sentence = `The store in ${dataDir} is sound: ${documents} documents and ${entries} index entries in ${collections} collections were read.`;
    return [ok('store', sentence), ...(unsealed === 0 ? [] : [withoutChecksum(unsealed)])];
  }
  const rest = more === 0 ? [] : [`There is more of it, ${more} times.`];
  return [...damage, ...rest].map((sentence) => fail('store', capitalized(sentence), damageHint(dataDir)));
}

function withoutChecksum(documents: number): Check {
  const sentence = `${documents} documents were stored by an earlier version, and have no checksum until they change.`;
  return warn(
    'store',
    sentence,
    `A copy has one for each: ${commandLine('db:copy', ' --to <new folder>')} while Herald is stopped.`,
  );
}

const capitalized = (sentence: string): string => sentence.charAt(0).toUpperCase() + sentence.slice(1);
