import { forgetSecretFile, readSecretFile, replaceSecretFile } from '#libs/secrets';
import type { IssuedKey, KeyBook, KeyRow } from './key-book.js';
import type { KeyCommand } from './key-command.js';

const KEY_FILE = 'api-key';

/** Carries a command out and returns what to tell. @param dataDir where the first key of the installation is kept */
export async function runKeyCommand(command: KeyCommand, keys: KeyBook, dataDir: string): Promise<string> {
  switch (command.action) {
    case 'list':
      return describeRows(command.environment, await keys.list());
    case 'issue': {
      const { name, scopes, expiresAt } = command;
      return describeIssued(await keys.issue({ name, ...(scopes && { scopes }), ...(expiresAt && { expiresAt }) }));
    }
    case 'rotate': {
      const kept = await isKeptInFile(command.id, keys, dataDir);
      const issued = await keys.rotate(command.id);
      if (kept) replaceSecretFile(dataDir, KEY_FILE, issued.key);
      return describeIssued(issued) + (kept ? `\nThe file ${KEY_FILE} in ${dataDir} has the new key.` : '');
    }
    case 'revoke': {
      const kept = await isKeptInFile(command.id, keys, dataDir);
      await keys.revoke(command.id);
      if (kept) forgetSecretFile(dataDir, KEY_FILE);
      return `Revoked ${command.id}.` + (kept ? ` The file ${KEY_FILE} in ${dataDir}, which held it, is gone.` : '');
    }
  }
}

/** True where the key of this id is the one that the first start left in a file; commands and the demo use that file. */
async function isKeptInFile(id: string, keys: KeyBook, dataDir: string): Promise<boolean> {
  const kept = readSecretFile(dataDir, KEY_FILE);
  return kept !== undefined && (await keys.idOf(kept)) === id;
}

function describeIssued(issued: IssuedKey): string {
  const expiry = issued.expiresAt === undefined ? 'does not expire' : `works until ${dateTime(issued.expiresAt)}`;
  return `${issued.key}\n\n'${issued.name}' (${issued.id}) has the scopes ${issued.scopes.join(', ')} and ${expiry}.`;
}

function describeRows(environment: string, rows: readonly KeyRow[]): string {
  if (rows.length === 0) return `${environment} has no live key. Issue one with 'npm run keys -- issue'.`;
  const cells = [
    ['ID', 'NAME', 'SCOPES', 'CREATED', 'LAST USED', 'EXPIRES'],
    ...rows.map((row) => [
      row.id,
      row.name,
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
