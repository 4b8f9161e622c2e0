import { parseArgs } from 'node:util';
import { commandLine, loadConfig } from '#libs/config';
import { restoreStore } from './moving/restore-store.js';
import { keyNotice, openPlace } from './moving/store-place.js';
import { answerHelp, CommandError, JSON_OPTION, JSON_USAGE, progressReporter, runCommand } from './run-command.js';
import { isStartedProgram } from '../../../src/bootstrap/started-program.js';

const USAGE = `Usage: ${commandLine('restore', ' --from <folder> [--json]')}

Restores the store of a backup to DATA_DIR, which must not contain a store.

  ${JSON_USAGE}`;

// `npm run herald -- restore ...`: exit code 0 when the store is restored and compared, 2 for a wrong command line, 1 otherwise.
export async function run(): Promise<void> {
  answerHelp(process.argv.slice(2), USAGE);
  await runCommand(async () => {
    const from = folderIn(process.argv.slice(2));
    const config = loadConfig();
    if (config.get('MONGODB_URI') !== undefined) {
      throw new CommandError(
        'MONGODB_URI is set, but backups are restored to a data directory. Unset it, restore the backup, then copy the store with ' +
          `${commandLine('db:copy')}.`,
      );
    }
    const dataDir = config.get('DATA_DIR');
    const { createdAt, collections } = await restoreStore({
      from,
      dataDir,
      auditDays: config.get('AUDIT_RETENTION_DAYS'),
      report: progressReporter(),
    });
    const records = Object.values(collections).reduce((sum, one) => sum + one.records, 0);
    const place = await openPlace(dataDir, { mayCreate: false });
    try {
      const text = `Restored ${records} records from the backup of ${createdAt} to ${dataDir}.\n${await keyNotice(place, config)}`;
      return { text, data: { from, to: dataDir, createdAt, records } };
    } finally {
      await place.close();
    }
  });
}

function folderIn(args: string[]): string {
  try {
    const { values } = parseArgs({ args, options: { ...JSON_OPTION, from: { type: 'string' } } });
    if (values.from === undefined) throw new Error('--from is required.');
    return values.from;
  } catch (error) {
    throw new CommandError(`${(error as Error).message}\n\n${USAGE}`, 2);
  }
}

if (isStartedProgram(import.meta.url)) void run();
