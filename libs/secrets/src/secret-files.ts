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
 * Mode 0600. Processes that start concurrently agree on one value: the file gets its name once, when it is complete.
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

/** Atomic. */
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
 * Only the owner may read it; creates parents. Node's recursive form never returns if the parent exists but takes no
 * directories, as in `/proc`.
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
