import { printable } from '../printable.js';
import { toJson } from '../printable.js';
import { commandLine } from '#libs/config';
import { forgetSecretFile, readSecretFile, replaceSecretFile } from '#libs/secrets';
import type { KeyCommand } from './key-command.js';
import type { KeyScope } from '#libs/common';

const KEY_FILE = 'api-key';

/** A key as lists show it. */
export interface KeyRow {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  readonly createdAt: Date | string;
  readonly lastUsedAt?: Date | string;
  readonly expiresAt?: Date | string;
}

/** A key that was just made, with the key itself. */
export interface IssuedKey extends KeyRow {
  readonly key: string;
}

/** A new key. By default it has all scopes of its issuer and expires with it. */
export interface NewKey {
  readonly name: string;
  readonly scopes?: readonly KeyScope[];
  readonly expiresAt?: Date;
}

/** The keys of one environment, reached through the store or through a running Herald. */
export interface KeyBook {
  /** Oldest first. */
  list(): Promise<KeyRow[]>;
  /** The id of a key of the environment; undefined for any other text. */
  idOf(key: string): Promise<string | undefined>;
  issue(key: NewKey): Promise<IssuedKey>;
  rotate(id: string): Promise<IssuedKey>;
  revoke(id: string): Promise<void>;
}

/**
 * Runs a command and returns its output.
 * @param dataDir holds the first key of the installation
 */
export async function runKeyCommand(command: KeyCommand, keys: KeyBook, dataDir: string): Promise<string> {
  switch (command.action) {
    case 'list':
      return shown(command, (await keys.list()).map(rowOf), (rows) => describeRows(command.environment, rows));
    case 'issue': {
      const { name, scopes, expiresAt } = command;
      const key = { name, ...(scopes && { scopes }), ...(expiresAt && { expiresAt }) };
      return shown(command, issuedOf(await keys.issue(key)), describeIssued);
    }
    case 'rotate': {
      const isInKeyFile = await isInFile(command.id, keys, dataDir);
      const issued = await keys.rotate(command.id);
      if (isInKeyFile) replaceSecretFile(dataDir, KEY_FILE, issued.key);
      const note = isInKeyFile ? `\nThe file ${KEY_FILE} in ${dataDir} now contains the new key.` : '';
      return shown(command, issuedOf(issued), (key) => describeIssued(key) + note);
    }
    case 'revoke': {
      const isInKeyFile = await isInFile(command.id, keys, dataDir);
      await keys.revoke(command.id);
      if (isInKeyFile) forgetSecretFile(dataDir, KEY_FILE);
      return (
        `Revoked ${command.id}.` +
        (isInKeyFile ? ` The file ${KEY_FILE} in ${dataDir}, which contained it, was deleted.` : '')
      );
    }
  }
}

/** Nothing else of what the store holds is for programs. */
function rowOf({ id, name, scopes, createdAt, lastUsedAt, expiresAt }: KeyRow): KeyRow {
  return { id, name, scopes, createdAt, ...(lastUsedAt && { lastUsedAt }), ...(expiresAt && { expiresAt }) };
}

function issuedOf(issued: IssuedKey): IssuedKey {
  return { key: issued.key, ...rowOf(issued) };
}

function shown<T>({ json }: KeyCommand, value: T, describe: (value: T) => string): string {
  return json ? toJson(value) : describe(value);
}

/** Whether the first start left the key with this id in a file, which commands and the demo read. */
async function isInFile(id: string, keys: KeyBook, dataDir: string): Promise<boolean> {
  const key = readSecretFile(dataDir, KEY_FILE);
  return key !== undefined && (await keys.idOf(key)) === id;
}

function describeIssued(issued: IssuedKey): string {
  const expiry = issued.expiresAt === undefined ? 'does not expire' : `expires at ${dateTime(issued.expiresAt)} UTC`;
  return `${issued.key}\n\n'${printable(issued.name)}' (${issued.id}) has the scopes ${issued.scopes.join(', ')} and ${expiry}.`;
}

function describeRows(environment: string, rows: readonly KeyRow[]): string {
  if (rows.length === 0) return `${environment} has no active key. Issue one with '${commandLine('keys', ' issue')}'.`;
  const cells = [
    ['ID', 'NAME', 'SCOPES', 'CREATED', 'LAST USED', 'EXPIRES'],
    ...rows.map((row) => [
      row.id,
      printable(row.name),
      row.scopes.join(','),
      dateTime(row.createdAt),
      row.lastUsedAt === undefined ? 'never' : dateTime(row.lastUsedAt),
      row.expiresAt === undefined ? 'never' : dateTime(row.expiresAt),
    ]),
  ];
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0))) ?? [];
  return cells
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function dateTime(value: Date | string): string {
  return new Date(value).toISOString().slice(0, 16).replace('T', ' ');
}
