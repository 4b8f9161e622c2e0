import { existsSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readSecretFile, replaceSecretFile } from '#libs/secrets';
import { CommandEntries } from '../audit/command-entries.js';
import { CommandError, percent } from '../run-command.js';
import { copyDurably, DATA_FILE, type Manifest, publish, readManifest, removeRuntimeFiles } from './backup-folder.js';
import { KEY_FILES, readContent } from './backup-store.js';
import { differences } from './content.js';
import { openPlace } from './store-place.js';

export interface RestoreOptions {
  readonly from: string;
  /** Must not have a store. */
  readonly dataDir: string;
  /** How long the audit log keeps that it was restored; 0: for good. */
  readonly auditDays: number;
  /** Receives lines of progress. */
  readonly report: (line: string) => void;
}

/**
 * Puts the store of a backup into a data folder, compared with what the backup says of it. The store gets its name when it
 * is complete: after an interruption the folder is still empty, and the command can be run again.
 * @throws {CommandError}
 */
export async function restoreStore({ from, dataDir, auditDays, report }: RestoreOptions): Promise<Manifest> {
  const manifest = readManifest(from);
  const store = join(resolve(dataDir), 'store');
  assertEmpty(store);
  const keys = keysOf(from, dataDir);
  const draft = join(resolve(dataDir), 'restoring');
  await rm(draft, { recursive: true, force: true });
  mkdirSync(join(draft, 'store'), { recursive: true, mode: 0o700 });
  const paths = [join(from, 'store', DATA_FILE), join(draft, 'store', DATA_FILE)] as const;
  const { bytes, sha256 } = await copyDurably(...paths, (copied) =>
    report(`copying the data: ${percent(copied, manifest.bytes)}`),
  );
  if (bytes !== manifest.bytes || sha256 !== manifest.sha256)
    throw new CommandError(`The data file of the backup in ${from} is damaged: its checksum differs.`);
  const { collections } = await readContent(draft, (name) => report(`reading the restored store: ${name}`));
  const differing = differences(manifest.collections, collections);
  if (differing.length > 0) throw new CommandError(`The restored store differs in: ${differing.join(', ')}.`);
  await record(draft, manifest, auditDays);
  for (const [name, key] of keys) replaceSecretFile(dataDir, name, key);
  if (existsSync(store)) rmdirSync(store);
  await publish(join(draft, 'store'), store);
  await rm(draft, { recursive: true, force: true });
  return manifest;
}

/** Before the store gets its name: there is none without the entry. */
async function record(draft: string, { createdAt, collections }: Manifest, auditDays: number): Promise<void> {
  const place = await openPlace(draft, { mayCreate: false });
  try {
    const entries = new CommandEntries(place.db, auditDays);
    const rows = entries.rowsOf(await entries.ownersOfAll(), {
      action: 'restoreStore',
      resource: { type: 'store' },
      changes: [
        { path: 'backupOf', after: createdAt },
        { path: 'records', after: Object.values(collections).reduce((sum, one) => sum + one.records, 0) },
      ],
      program: 'herald restore',
    });
    await entries.done(rows);
  } finally {
    await place.close();
    await removeRuntimeFiles(join(draft, 'store'));
  }
}

function assertEmpty(store: string): void {
  if (!existsSync(store) || readdirSync(store).length === 0) return;
  throw new CommandError(
    `The directory ${store} is not empty. Set DATA_DIR to a new directory, or move the existing store away first.`,
  );
}

/** The keys of a backup that are not in the data folder yet. @throws {CommandError} if it has another one */
function keysOf(from: string, dataDir: string): [name: string, key: string][] {
  return KEY_FILES.flatMap((name) => {
    const [kept, present] = [readSecretFile(from, name), readSecretFile(dataDir, name)];
    if (kept === undefined || kept === present) return [];
    if (present === undefined) return [[name, kept]];
    throw new CommandError(
      `${join(dataDir, name)} contains a different key than the backup. Move the file away first.`,
    );
  });
}
