import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, readFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { CommandError } from '../run-command.js';

/** The one form of backups so far. */
export const BACKUP_FORMAT = 1;
const MANIFEST = 'backup.json';
export const DATA_FILE = 'data.mdb';

const manifestShape = z.object({
  format: z.literal(BACKUP_FORMAT),
  createdAt: z.string(),
  /** Fingerprints of the encryption keys that its secrets are sealed with. */
  keyIds: z.array(z.string()),
  /** Of the data file. */
  bytes: z.number(),
  sha256: z.string(),
  collections: z.record(z.string(), z.object({ records: z.number(), checksum: z.string() })),
});

export type Manifest = z.infer<typeof manifestShape>;

/** @throws {CommandError} */
export function readManifest(folder: string): Manifest {
  const file = join(folder, MANIFEST);
  if (!existsSync(file)) throw new CommandError(`${folder} is not a backup: it has no ${MANIFEST}.`);
  try {
    return manifestShape.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new CommandError(`${file} is damaged or was written by a newer version: ${(error as Error).message}`);
  }
}

/** The last file of a backup, without which a folder is none. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  await writeDurably(join(folder, MANIFEST), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

/** Writes a file that only its owner can read, and waits until it is on disk. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Copies a file and waits until the copy is on disk. @returns size and SHA-256 of what was read */
export async function copyDurably(
  from: string,
  to: string,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<Pick<Manifest, 'bytes' | 'sha256'>> {
  const hash = createHash('sha256');
  const meter = new PassThrough();
  let bytes = 0;
  meter.on('data', (piece: Buffer) => {
    bytes += piece.length;
    hash.update(piece);
    onBytes(bytes);
  });
  await pipeline(createReadStream(from), meter, createWriteStream(to, { mode: 0o600, flush: true }));
  return { bytes, sha256: hash.digest('hex') };
}

/** Size and SHA-256 of a file that is flushed to disk first. */
export async function sealFile(path: string): Promise<Pick<Manifest, 'bytes' | 'sha256'>> {
  await syncPath(path);
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    bytes += piece.length;
    hash.update(piece);
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Gives a complete folder its name, durably. */
export async function publish(draft: string, name: string): Promise<void> {
  await syncPath(draft);
  await rename(draft, name);
  await syncPath(join(name, '..'));
}

async function syncPath(path: string): Promise<void> {
  // Windows cannot flush folders, and keeps their entries safe itself.
  const file = await open(path, 'r').catch(() => undefined);
  try {
    await file?.sync().catch(() => undefined);
  } finally {
    await file?.close();
  }
}

/** What the embedded store leaves beside its data; a backup has the data only. */
export async function removeRuntimeFiles(storeFolder: string): Promise<void> {
  for (const name of ['lock.mdb', 'store.lock', 'mongo.sock', 'snapshots'])
    await rm(join(storeFolder, name), { recursive: true, force: true });
}
