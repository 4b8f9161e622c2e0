import { randomBytes } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Reads a secret from its file (mode 0600) or generates it. Processes that start at the same time agree on one value,
 * because the file gets its name only once and only when it is complete.
 */
export function readOrCreateSecretFile(dir: string, name: string, make: () => string = newSecret): SecretFile {
  const path = join(dir, name);
  const existing = readSecretFile(dir, name);
  if (existing !== undefined) return { value: existing, path, created: false };

  createDirectory(dir);
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const value = make();
  writeFileSync(draft, `${value}\n`, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(draft, path);
    return { value, path, created: true };
  } catch (error) {
    const winner = readSecretFile(dir, name);
    if (winner === undefined) throw error;
    return { value: winner, path, created: false };
  } finally {
    unlinkSync(draft);
  }
}

/** Undefined if the file does not exist or is empty. */
export function readSecretFile(dir: string, name: string): string | undefined {
  try {
    const text = readFileSync(join(dir, name), 'utf8').trim();
    return text === '' ? undefined : text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Replaces the secret atomically. */
export function replaceSecretFile(dir: string, name: string, value: string): void {
  const path = join(dir, name);
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, `${value}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(draft, path);
}

export function forgetSecretFile(dir: string, name: string): void {
  rmSync(join(dir, name), { force: true });
}

/** 32 lower-case hex characters from 16 random bytes. */
export function newSecret(): string {
  return randomBytes(16).toString('hex');
}

export interface SecretFile {
  readonly value: string;
  readonly path: string;
  readonly created: boolean;
}

/**
 * Creates a directory that only its owner may read, with its parents. Node's recursive form never returns where the
 * parent exists but does not accept directories, as in `/proc`.
 */
export function createDirectory(directory: string): void {
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'EEXIST' && statSync(directory).isDirectory()) return;
    const parent = dirname(directory);
    if (code !== 'ENOENT' || existsSync(parent)) throw error;
    createDirectory(parent);
    mkdirSync(directory, { mode: 0o700 });
  }
}
