import { isDeepStrictEqual } from 'node:util';
import type { FilesCommand, Place } from './command.js';
import { DefinitionFolder, type DefinitionFile, LinkError } from './folder.js';
import { ApiFault, HeraldClient, HeraldUnavailable, type RemoteRecord, SCHEMAS_PATH } from './herald-client.js';
import { type Kind, keyOf, titleOf } from './kinds.js';
import { describePlan, locate, pathIn, type Plan, planOf, sizeOf, type Wanted } from './plan.js';

export const EXIT = { done: 0, failed: 1, changes: 2, refused: 3 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Where a command prints and asks. */
export interface Terminal {
  print(line: string): void;
  complain(line: string): void;
  /** Told of each record that was created or updated. */
  saved?(item: Wanted): void;
  /** Undefined: it cannot ask. */
  readonly ask?: (question: string) => Promise<boolean>;
}

export async function runFilesCommand(command: FilesCommand, terminal: Terminal): Promise<ExitCode> {
  try {
    if (command.action === 'pull') return await pull(command, terminal);
    return await (command.target ? promote(command, command.target, terminal) : push(command, terminal));
  } catch (error) {
    if (error instanceof LinkError) {
      terminal.complain(error.message);
      return EXIT.refused;
    }
    if (!(error instanceof ApiFault) && !(error instanceof HeraldUnavailable)) throw error;
    const isKey = error instanceof ApiFault && error.status === 401;
    const texts = error instanceof ApiFault ? error.faults : [error.message];
    for (const text of texts) terminal.complain(isKey ? `The API key was rejected: ${text}` : text);
    return EXIT.failed;
  }
}

async function push(command: FilesCommand, terminal: Terminal): Promise<ExitCode> {
  const folder = new DefinitionFolder(command.folder, command.format);
  if (!folder.exists()) {
    terminal.complain(
      `The directory ${command.folder} does not exist. Run pull first, or set the directory with --dir.`,
    );
    return EXIT.refused;
  }
  const { files, faults } = folder.read(command.kinds);
  if (faults.length > 0) return refuse(faults, terminal);
  return store(
    command,
    command.place,
    files.map((file) => ({ ...file, file })),
    terminal,
  );
}

async function promote(command: FilesCommand, target: Place, terminal: Terminal): Promise<ExitCode> {
  const source = new HeraldClient(command.place, command.retries);
  const [from, to] = [await source.environment(), await new HeraldClient(target, command.retries).environment()];
  if (from.id === to.id) {
    terminal.complain(
      `Both keys belong to the environment ${from.name}. Set HERALD_TARGET_API_KEY to a key of another environment.`,
    );
    return EXIT.refused;
  }
  terminal.print(`From ${from.name} at ${command.place.url}`);
  const records = await listAll(source, command.kinds);
  return store(command, target, records, terminal, from.name);
}

async function store(
  command: FilesCommand,
  place: Place,
  wanted: readonly Wanted[],
  terminal: Terminal,
  from?: string,
): Promise<ExitCode> {
  const client = new HeraldClient(place, command.retries);
  const { name, isReadOnly } = await client.environment();
  const { allowsUnknown, prune, kinds } = command;
  const plan = await planOf(client, wanted, { prunedKinds: prune ? kinds : [], allowsUnknown });
  if (plan.faults.length > 0) return refuse(plan.faults, terminal);
  const size = sizeOf(plan);
  if (size === 0) {
    terminal.print(`${name} at ${place.url} is up to date: ${wanted.length} definitions.`);
    return EXIT.done;
  }
  terminal.print(`To ${name} at ${place.url}:`);
  for (const line of describePlan(plan)) terminal.print(line);
  if (command.isDryRun) {
    terminal.print(`${size} of ${wanted.length + plan.deletions.length} definitions would change. Nothing was saved.`);
    return EXIT.changes;
  }
  if (isReadOnly && from === undefined) {
    terminal.complain(
      `${name} is read-only: it changes by promotion only. Push to another environment, and promote from there.`,
    );
    return EXIT.refused;
  }
  if (
    !command.isConfirmed &&
    (await terminal.ask?.(`Save ${size === 1 ? 'this change' : `these ${size} changes`} in ${name}?`)) !== true
  ) {
    const advice = terminal.ask === undefined ? ' Use --yes to save without confirmation.' : '';
    terminal.complain(`Nothing was saved.${advice}`);
    return EXIT.refused;
  }
  return apply(client, plan, command, terminal, from);
}

/** What was stored before a fault stays; the next push continues with the rest. */
async function apply(
  client: HeraldClient,
  { changes, deletions }: Plan,
  command: FilesCommand,
  terminal: Terminal,
  from: string | undefined,
): Promise<ExitCode> {
  const pending = changes.filter(({ change }) => change.outcome !== 'unchanged');
  const total = pending.length + deletions.length;
  let done = 0;
  let current: Wanted | undefined;
  try {
    for (current of pending) {
      const { kind, definition, version } = current;
      const source = from === undefined ? undefined : `${from}${versionText(version)}`;
      const { change } = await client.define(kind, definition, false, source);
      done += 1;
      terminal.saved?.(current);
      terminal.print(`${change.outcome} ${titleOf(kind, definition)}${versionText(change.version)}`);
    }
    for (current of deletions) {
      await client.remove(current as RemoteRecord, from);
      done += 1;
      terminal.print(`deleted ${titleOf(current.kind, current.definition)}`);
    }
  } catch (error) {
    const isRefused = error instanceof ApiFault;
    if (!isRefused && !(error instanceof HeraldUnavailable)) throw error;
    const texts = isRefused ? error.faults : [error.message];
    for (const text of texts) terminal.complain(current ? locate(current, pathIn(text), text) : text);
    terminal.complain(`${done} of ${total} changes were saved. Run the command again for the rest.`);
    return isRefused ? EXIT.refused : EXIT.failed;
  }
  terminal.print(total === 1 ? '1 change was saved.' : `${total} changes were saved.`);
  return command.isDetailed ? EXIT.changes : EXIT.done;
}

async function pull(command: FilesCommand, terminal: Terminal): Promise<ExitCode> {
  const client = new HeraldClient(command.place, command.retries);
  const schemaUrl = command.schemas === 'url' ? `${command.place.url}${SCHEMAS_PATH}` : undefined;
  const folder = new DefinitionFolder(command.folder, command.format, schemaUrl);
  const { files, faults } = folder.read(command.kinds);
  if (faults.length > 0) return refuse(faults, terminal);
  const { name } = await client.environment();
  terminal.print(`From ${name} at ${command.place.url}:`);
  const records = await listAll(client, command.kinds);
  const fileOf = new Map(files.map((file) => [keyOf(file.kind, file.definition), file]));
  let written = 0;
  for (const { kind, definition, version } of records) {
    const file = fileOf.get(keyOf(kind, definition));
    fileOf.delete(keyOf(kind, definition));
    if (file && (await isSame(client, file, definition))) continue;
    written += 1;
    const path = command.isDryRun ? titleOf(kind, definition) : folder.write(kind, definition, file);
    terminal.print(`${command.isDryRun ? 'would write' : 'wrote'} ${path}${versionText(version)}`);
  }
  if (!command.isDryRun && command.schemas === 'copy') {
    for (const kind of command.kinds) folder.writeSchema(kind, await client.schema(kind));
    // Its files stand beside those of workflows, and no Herald adds to it.
    if (command.kinds.some(({ name }) => name === 'workflow')) folder.writeSchema({ name: 'workflow-test' }, undefined);
  }
  for (const { path, kind } of fileOf.values()) {
    terminal.print(
      `${path}: ${name} has no such ${kind.name.replace('-', ' ')}. Run push to create it, or delete the file.`,
    );
  }
  terminal.print(`${written} of ${records.length} definitions differed from the files.`);
  return written > 0 && (command.isDryRun || command.isDetailed) ? EXIT.changes : EXIT.done;
}

/** A file can say the same in other words, such as with defaults. Herald knows, if the key may write. */
async function isSame(client: HeraldClient, file: DefinitionFile, definition: object): Promise<boolean> {
  if (isDeepStrictEqual(file.definition, definition)) return true;
  return client.define(file.kind, file.definition, true).then(
    ({ change }) => change.outcome === 'unchanged',
    (error: unknown) => {
      if (error instanceof ApiFault) return false;
      throw error;
    },
  );
}

/** If several records have the same identity, such as groups of one name, the oldest one. */
async function listAll(client: HeraldClient, kinds: readonly Kind[]): Promise<RemoteRecord[]> {
  const records = new Map<string, RemoteRecord>();
  for (const kind of kinds) {
    for (const record of await client.list(kind)) {
      const key = keyOf(kind, record.definition);
      if (!records.has(key)) records.set(key, record);
    }
  }
  return [...records.values()];
}

/** The number that the list of versions has. */
function versionText(version: number | undefined): string {
  return version === undefined ? '' : ` (version ${version})`;
}

function refuse(faults: readonly string[], terminal: Terminal): ExitCode {
  for (const fault of faults) terminal.complain(fault);
  terminal.complain(`${faults.length} ${faults.length === 1 ? 'error' : 'errors'}. Nothing was saved.`);
  return EXIT.refused;
}
