import { parseArgs } from 'node:util';
import { commandLine, loadConfig } from '#libs/config';
import { backupStore } from './moving/backup-store.js';
import { answerHelp, CommandError, JSON_OPTION, JSON_USAGE, progressReporter, runCommand } from './run-command.js';
import { isStartedProgram } from '../../../src/bootstrap/started-program.js';

const USAGE = `Usage: ${commandLine('backup', ' --to <folder> [--with-keys] [--json]')}

Writes a consistent backup of the embedded store in DATA_DIR to a new directory. Herald may be running.

  --with-keys   include the files encryption-key, api-key and session-secret of DATA_DIR; protect such a backup like the keys
  ${JSON_USAGE}`;

// `npm run herald -- backup ...`: exit code 0 when the backup is complete, 2 for a wrong command line, 1 otherwise.
export async function run(): Promise<void> {
  answerHelp(process.argv.slice(2), USAGE);
  await runCommand(async () => {
    const { to, withKeys } = optionsIn(process.argv.slice(2));
    const config = loadConfig();
    if (config.get('MONGODB_URI') !== undefined) {
      throw new CommandError(
        'MONGODB_URI is set. Back up MongoDB with its own tools, such as mongodump. This command backs up the embedded store only.',
      );
    }
    const dataDir = config.get('DATA_DIR');
    const { keyIds, bytes, collections } = await backupStore({ dataDir, to, withKeys, report: progressReporter() });
    const records = Object.values(collections).reduce((sum, one) => sum + one.records, 0);
    const lines = [`Backed up ${records} records (${bytes} bytes) of ${dataDir} to ${to}.`];
    if (keyIds.length > 0 && !withKeys) {
      lines.push(
        `Its secrets are encrypted with the key ${keyIds.join(' and ')}, which the backup does not contain: keep ` +
          `STORE_ENCRYPTION_KEY, or the file encryption-key in ${dataDir}, in a separate safe place.`,
      );
    }
    return { text: lines.join('\n'), data: { from: dataDir, to, records, bytes, keyIds, withKeys } };
  });
}

function optionsIn(args: string[]): { to: string; withKeys: boolean } {
  try {
    const { values } = parseArgs({
      args,
      options: { ...JSON_OPTION, to: { type: 'string' }, 'with-keys': { type: 'boolean' } },
    });
    if (values.to === undefined) throw new Error('--to is required.');
    return { to: values.to, withKeys: values['with-keys'] ?? false };
  } catch (error) {
    throw new CommandError(`${(error as Error).message}\n\n${USAGE}`, 2);
  }
}

if (isStartedProgram(import.meta.url)) void run();
