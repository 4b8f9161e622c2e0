import { AppException } from '#libs/http-kit';
import type { CommandEntries, CommandResult, EntryOwner } from '../audit/command-entries.js';
import type { IssuedKey, KeyBook, KeyRow } from './run-key-command.js';

type Change = NonNullable<CommandResult['changes']>[number];

/** The keys of an environment, with an entry of the audit log for each change, as the API makes it. */
export function recordedKeys(keys: KeyBook, entries: CommandEntries, owner: EntryOwner): KeyBook {
  const rowOf = async (id: string | undefined): Promise<KeyRow | undefined> =>
    (await keys.list()).find((row) => row.id === id);
  const record = async <T extends IssuedKey | undefined>(
    action: string,
    id: string | undefined,
    change: () => Promise<T>,
  ): Promise<T> => {
    const before = await rowOf(id);
    const begun = await entries.begin([owner], { action, resource: resourceOf(before), program: 'herald keys' });
    const issued = await change().catch(async (error: unknown) => {
      if (error instanceof AppException) await entries.withdraw(begun);
      throw error;
    });
    const after = await rowOf(issued?.id ?? id);
    await entries.finish(begun, { resource: resourceOf(after ?? before), changes: changesOf(before, after) });
    return issued;
  };
  return {
    list: () => keys.list(),
    idOf: (key) => keys.idOf(key),
    issue: (key) => record('issueApiKey', undefined, () => keys.issue(key)),
    rotate: (id) => record('rotateApiKey', id, () => keys.rotate(id)),
    revoke: async (id) => {
      await record('revokeApiKey', id, async () => {
        await keys.revoke(id);
        return undefined;
      });
    },
  };
}

function resourceOf(row: KeyRow | undefined): { readonly type: string; readonly id?: string; readonly name?: string } {
  return { type: 'api-key', ...(row && { id: row.id, name: row.name }) };
}

function changesOf(before: KeyRow | undefined, after: KeyRow | undefined): Change[] {
  const [former, latter] = [valuesOf(before), valuesOf(after)];
  return [...new Set([...former.keys(), ...latter.keys()])]
    .filter((path) => former.get(path) !== latter.get(path))
    .map((path) => {
      const [was, is] = [former.get(path), latter.get(path)];
      return { path, ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) };
    });
}

function valuesOf(row: KeyRow | undefined): Map<string, string> {
  if (row === undefined) return new Map();
  const { name, scopes, expiresAt } = row;
  return new Map([
    ['name', name],
    ...scopes.map((scope, at): [string, string] => [`scopes.${at}`, scope]),
    ...(expiresAt === undefined ? [] : [['expiresAt', new Date(expiresAt).toISOString()] as const]),
  ]);
}
