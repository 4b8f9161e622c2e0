import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type AppConfig, commandLine, isConnectionString, WRONG_CONNECTION_STRING } from '#libs/config';
import { ENCRYPTION_KEY_FILE } from '#libs/persistence';
import { readSecretFile, SecretBox } from '#libs/secrets';
// The steps of workflows are of the types that the engine declares.
import '../../../../src/engine/delivery/index.js';
import { ApiFault, HeraldUnavailable } from '../files/herald-client.js';
import { configuredPlace, keyIdsOf, openPlace, type StorePlace } from '../moving/store-place.js';
import { CommandError, JSON_OPTION, JSON_USAGE, type Outcome, progressReporter } from '../run-command.js';
import { checkImport } from './check-import.js';
import { ForeignSecrets } from './foreign-secrets.js';
import { NovuImport } from './import-novu.js';
import { importKnock } from './knock/import-knock.js';
import { Position } from './position.js';
import type { NovuSource } from './sources/novu-source.js';
import { openSource } from './sources/open-source.js';

const DEFAULT_DAYS = 30;
const MAX_DAYS = 3_650;
const DEFAULT_DIR = 'herald';
const DAY_MS = 86_400_000;

export const IMPORT_USAGE = `Usage: ${commandLine('import', ' novu --from <connection string or URL> [--encryption-key-file <file>] [--api-key-file <file>] [--days <number>] [--invitations <file>] [--dry-run] [--json]')}
       ${commandLine('import', ' knock <directory> [--dir <directory>] [--dry-run] [--json]')}

Takes over the data of Novu from its MongoDB, or from its API: organizations, environments with their API keys, notification groups, feeds,
layouts, integrations, tenants, workflows, overrides, subscribers, topics, preferences, messages, translations and people. Ids, dates and
identifiers stay the same. Nothing of Novu is changed. A record that was taken over before is replaced, so the command can be repeated; after
it ended early, it goes on where it ended. Start Herald once before, so that its store exists, and stop it meanwhile.

  --from                 connection string of Novu's database, with its name, or URL of its API, such as https://api.novu.co
  --encryption-key-file  file with Novu's STORE_ENCRYPTION_KEY, for API keys and credentials in its database
  --api-key-file         file with an API key of Novu, for its API: one environment is taken, without the secrets of integrations
  --days                 messages of how many days are taken (${DEFAULT_DAYS})
  --invitations          file for the links by which people choose a password; without it, nobody is invited
  --dir                  of Knock: directory of Herald's files (${DEFAULT_DIR})
  --dry-run              says what would be taken and what does not fit, and writes nothing

Of Knock, the workflows and layouts that 'knock pull' has written become files that 'herald push' stores.

  ${JSON_USAGE}`;

interface Line {
  readonly from: string;
  readonly keyFile?: string | undefined;
  readonly apiKeyFile?: string | undefined;
  readonly invitations?: string | undefined;
  readonly days: number;
  readonly isDryRun: boolean;
}

/** @throws {CommandError} */
export async function importProgram(args: string[], config: AppConfig): Promise<Outcome> {
  const line = lineIn(args);
  if ('knock' in line) return importKnock({ from: line.knock, into: line.into, isDryRun: line.isDryRun });
  const secrets = new ForeignSecrets(foreignKey(line.keyFile));
  const apiKey = line.apiKeyFile === undefined ? undefined : textOfFile(line.apiKeyFile, 'an API key of Novu');
  try {
    const opened = await openSource(line.from, apiKey);
    try {
      const target = await openPlace(configuredPlace(config), { mayCreate: false });
      try {
        const box = await boxFor(target, config);
        return await importBetween({
          source: opened.source,
          target,
          box,
          secrets,
          line,
          config,
          progress: progressReporter(args),
        });
      } finally {
        await target.close();
      }
    } finally {
      await opened.close();
    }
  } catch (error) {
    throw asCommandError(error);
  }
}

/** What the API of others says is for the person who runs the command. */
function asCommandError(error: unknown): unknown {
  if (error instanceof HeraldUnavailable)
    return new CommandError(`${error.message} Run the command again: it goes on.`);
  if (!(error instanceof ApiFault)) return error;
  const why = error.status === 401 ? 'Give an API key of its environment with --api-key-file.' : error.message;
  return new CommandError(`Novu's API answered with status ${error.status}. ${why}`);
}

interface Work {
  readonly source: NovuSource;
  readonly target: StorePlace;
  readonly box: SecretBox;
  readonly secrets: ForeignSecrets;
  readonly line: Line;
  readonly config: AppConfig;
  readonly progress: (line: string) => void;
}

async function importBetween({ source, target, box, secrets, line, config, progress }: Work): Promise<Outcome> {
  const { days, isDryRun, invitations } = line;
  const begun = { source: source.description, days, hasKey: line.keyFile !== undefined };
  const position = await Position.open(target.db, begun, isDryRun);
  const keptDays = config.get('RETENTION_DAYS');
  const invitesTo =
    invitations === undefined ? undefined : (config.get('PUBLIC_URL') ?? `http://127.0.0.1:${config.get('PORT')}`);
  const places = { source, to: target.db };
  const work = new NovuImport({ ...places, position, box, secrets, days, keptDays, invitesTo, isDryRun, progress });
  const report = await work.run();
  if (invitations !== undefined && !isDryRun) {
    // Whoever has a link can join, so it must not be a file that others can read already.
    rmSync(invitations, { force: true });
    writeFileSync(invitations, work.links.map((link) => `${link}\n`).join(''), { mode: 0o600, flag: 'wx' });
  }
  const since = new Date(position.startedAt.getTime() - days * DAY_MS);
  const check = isDryRun ? undefined : await checkImport(places, report, since);
  return outcomeOf({ target, source, position, isDryRun }, report.lines(), {
    kinds: report.all,
    ...(check && { check }),
  });
}

interface Found {
  readonly kinds: object[];
  readonly check?: Awaited<ReturnType<typeof checkImport>>;
}

function outcomeOf(
  { target, source, position, isDryRun }: Pick<Work, 'target' | 'source'> & { position: Position; isDryRun: boolean },
  lines: readonly string[],
  found: Found,
): Outcome {
  const { check } = found;
  const begins = isDryRun ? 'This was a dry run: nothing was written.' : `Taken over into the ${target.description}.`;
  const went = position.place && `It went on where an import ended that began at ${position.startedAt.toISOString()}.`;
  const notShown = Object.entries(source.notShown).map(([kind, why]) => `${kind} were not read: ${why}`);
  const checked = check && [
    '',
    check.differences.length === 0
      ? `Numbers are equal, and so are ${check.people} people with their topics and messages.`
      : 'What differs:',
    ...check.differences,
  ];
  return {
    text: [begins, ...(went ? [went] : []), '', ...lines, ...notShown, ...(checked ?? [])].join('\n'),
    data: { dryRun: isDryRun, wentOn: position.place !== undefined, notShown: source.notShown, ...found },
  };
}

interface KnockLine {
  readonly knock: string;
  readonly into: string;
  readonly isDryRun: boolean;
}

function lineIn(args: string[]): Line | KnockLine {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        ...JSON_OPTION,
        from: { type: 'string' },
        'encryption-key-file': { type: 'string' },
        'api-key-file': { type: 'string' },
        invitations: { type: 'string' },
        days: { type: 'string', default: String(DEFAULT_DAYS) },
        dir: { type: 'string', default: DEFAULT_DIR },
        'dry-run': { type: 'boolean', default: false },
      },
    });
    const [what, knock, ...more] = positionals;
    if (what === 'knock' && knock !== undefined && more.length === 0)
      return { knock, into: values.dir, isDryRun: values['dry-run'] };
    if (positionals.length !== 1 || what !== 'novu')
      throw new Error('Name what to import: novu, or knock and the directory of its files.');
    if (values.from === undefined) throw new Error('--from is required.');
    assertPlace(values.from, values['api-key-file']);
    const days = Number(values.days);
    if (!Number.isInteger(days) || days < 0 || days > MAX_DAYS) {
      throw new Error(`--days must be a whole number from 0 to ${MAX_DAYS}.`);
    }
    return {
      from: values.from,
      keyFile: values['encryption-key-file'],
      apiKeyFile: values['api-key-file'],
      invitations: values.invitations,
      days,
      isDryRun: values['dry-run'],
    };
  } catch (error) {
    throw new CommandError(`${(error as Error).message}\n\n${IMPORT_USAGE}`, 2);
  }
}

function assertPlace(from: string, apiKeyFile: string | undefined): void {
  if (/^https?:\/\//.test(from)) {
    const url = URL.canParse(from) ? new URL(from) : undefined;
    if (url === undefined || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
      throw new Error('--from must be the URL of an API, without a user, a password or a query.');
    if (apiKeyFile === undefined) throw new Error('An API is read with --api-key-file.');
    return;
  }
  if (apiKeyFile !== undefined) throw new Error('--api-key-file is for the URL of an API.');
  if (!/^mongodb(\+srv)?:\/\//.test(from) || !isConnectionString(from))
    throw new Error(`The connection string ${WRONG_CONNECTION_STRING}.`);
}

function textOfFile(file: string, what: string): string {
  try {
    const text = readFileSync(file, 'utf8').trim();
    if (text !== '') return text;
  } catch {
    // As for an empty file.
  }
  throw new CommandError(`The file ${file} cannot be read, or is empty. Write ${what} into it.`);
}

/** Novu takes the 32 bytes of its key as they are. */
function foreignKey(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  const key = textOfFile(file, 'the STORE_ENCRYPTION_KEY of Novu');
  if (Buffer.byteLength(key) === 32) return key;
  throw new CommandError(`The file ${file} must hold the 32 characters of Novu's STORE_ENCRYPTION_KEY.`);
}

/** With the key that Herald's store is used with. */
async function boxFor(target: StorePlace, config: AppConfig): Promise<SecretBox> {
  const current = config.get('STORE_ENCRYPTION_KEY') ?? readSecretFile(config.get('DATA_DIR'), ENCRYPTION_KEY_FILE);
  const box = current === undefined ? undefined : new SecretBox([current]);
  if (box !== undefined && (await keyIdsOf(target.db)).includes(box.currentKeyId)) return box;
  throw new CommandError(
    `The settings do not contain the encryption key of the ${target.description}. ` +
      'Set STORE_ENCRYPTION_KEY, or DATA_DIR, to the values of your Herald process.',
  );
}
