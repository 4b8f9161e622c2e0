import { parseArgs } from 'node:util';
import { commandLine } from '#libs/config';
import { type Kind, KINDS } from './kinds.js';

export class FilesUsageError extends Error {}

/** A Herald and the environment of a key. */
export interface Place {
  readonly url: string;
  readonly key: string;
  /** Whether it has the schemas of this version, so that it need not be asked for them. */
  readonly hasOwnSchemas?: boolean;
}

export interface FilesCommand {
  readonly action: 'pull' | 'push' | 'promote';
  readonly folder: string;
  readonly format: 'yaml' | 'json';
  /** Whether new files name a copy of their JSON schema, or where Herald serves it. */
  readonly schemas: 'copy' | 'url';
  readonly kinds: readonly Kind[];
  readonly place: Place;
  /** Where `promote` moves the definitions to. */
  readonly target?: Place;
  readonly isDryRun: boolean;
  readonly isConfirmed: boolean;
  readonly prune: boolean;
  /** Whether `push` stores unknown fields of templates. */
  readonly allowsUnknown: boolean;
  /** Whether a success that changed something has an exit code of its own. */
  readonly isDetailed: boolean;
  /** How often a request is repeated while Herald is unavailable. */
  readonly retries: number;
}

export const FILES_USAGE = `Usage: ${commandLine('pull')} | push | promote [options]

  pull      export the definitions of an environment to files
  push      show what the files would change, then import them
  promote   show what another environment's definitions would change, then copy them

  --dir FOLDER          directory of the files (default: herald)
  --format yaml|json    format of new files (default: yaml)
  --schemas copy|url    JSON schema that new files reference: a copy in the directory, or its URL at HERALD_URL
                        (default: copy)
  --kinds A,B           limit the command to some of ${KINDS.map(({ name }) => name).join(', ')}
  --dry-run             only show what would change; exit with code 2 if something would
  --yes                 do not ask for confirmation
  --prune               also delete definitions that have no file or do not exist in the source
  --allow-unknown       let push store unknown template fields instead of rejecting them
  --detailed-exit-code  exit with code 2 if something changed
  --retries N           number of retries while Herald is unavailable (default: 4)

Environment: HERALD_URL (default: http://127.0.0.1:3000), HERALD_API_KEY; for promote also HERALD_TARGET_API_KEY and
HERALD_TARGET_URL (default: HERALD_URL). Exit codes: 0 success or no changes, 1 failure, 2 changes, 3 rejected.`;

const DEFAULT_URL = 'http://127.0.0.1:3000';
const OPTIONS = {
  dir: { type: 'string', default: 'herald' },
  format: { type: 'string', default: 'yaml' },
  schemas: { type: 'string', default: 'copy' },
  kinds: { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  prune: { type: 'boolean', default: false },
  'allow-unknown': { type: 'boolean', default: false },
  'detailed-exit-code': { type: 'boolean', default: false },
  retries: { type: 'string', default: '4' },
} as const;

/** @throws {FilesUsageError} */
export function parseFilesCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): FilesCommand {
  const { values, positionals } = parsed(args);
  const [action, ...others] = positionals;
  if ((action !== 'pull' && action !== 'push' && action !== 'promote') || others.length > 0) {
    throw new FilesUsageError(FILES_USAGE);
  }
  if (values.format !== 'yaml' && values.format !== 'json') throw new FilesUsageError('--format must be yaml or json.');
  if (values.schemas !== 'copy' && values.schemas !== 'url')
    throw new FilesUsageError('--schemas must be copy or url.');
  if (!/^\d{1,2}$/.test(values.retries)) throw new FilesUsageError('--retries must be a number from 0 to 99.');
  const url = addressIn(env, 'HERALD_URL', DEFAULT_URL);
  const target = { url: addressIn(env, 'HERALD_TARGET_URL', url), key: '' };
  return {
    action,
    folder: values.dir,
    format: values.format,
    schemas: values.schemas,
    kinds: kindsOf(values.kinds),
    place: { url, key: keyIn(env, 'HERALD_API_KEY') },
    ...(action === 'promote' && { target: { ...target, key: keyIn(env, 'HERALD_TARGET_API_KEY') } }),
    isDryRun: values['dry-run'],
    isConfirmed: values.yes,
    prune: values.prune,
    allowsUnknown: values['allow-unknown'],
    isDetailed: values['detailed-exit-code'],
    retries: Number(values.retries),
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new FilesUsageError(`${(error as Error).message}\n\n${FILES_USAGE}`);
  }
}

function kindsOf(list: string | undefined): readonly Kind[] {
  if (list === undefined) return KINDS;
  const names = list.split(',');
  const unknown = names.find((name) => !KINDS.some((kind) => kind.name === name));
  if (unknown !== undefined) {
    throw new FilesUsageError(`--kinds: '${unknown}' is not one of ${KINDS.map(({ name }) => name).join(', ')}.`);
  }
  return KINDS.filter(({ name }) => names.includes(name));
}

/** Keys are in the environment only: arguments are visible to other users and kept in the history of shells. */
function keyIn(env: Readonly<Record<string, string | undefined>>, name: string): string {
  const key = env[name]?.trim() ?? '';
  if (key === '') throw new FilesUsageError(`Set ${name} to an API key of the environment.`);
  return key;
}

/** @throws {FilesUsageError} */
export function addressIn(env: Readonly<Record<string, string | undefined>>, name: string, otherwise: string): string {
  const value = env[name]?.trim() || otherwise;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new FilesUsageError(`${name} is not an http or https URL.`);
  if (url.username !== '' || url.password !== '' || url.search !== '') {
    throw new FilesUsageError(`${name} must not contain a user, a password or a query. Set HERALD_API_KEY instead.`);
  }
  return value.endsWith('/') ? value.slice(0, -1) : value;
}
