import { parseArgs } from 'node:util';
import { type AppConfig, commandLine, loadConfig } from '#libs/config';
import { copyStore } from './moving/copy-store.js';
import { configuredPlace, keyNotice, openPlace } from './moving/store-place.js';
import {
  answerHelp,
  CommandError,
  JSON_OPTION,
  JSON_USAGE,
  type Outcome,
  progressReporter,
  runCommand,
} from './run-command.js';
import { isStartedProgram } from '../../../src/bootstrap/started-program.js';

const USAGE = `Usage: ${commandLine('db:copy', ' [--from <place>] [--to <place>] [--json]')}

Copies the whole store with its indexes to an empty one, then compares both. A place is a MongoDB connection string or the data
directory of an embedded store. If one is omitted, MONGODB_URI or DATA_DIR is used. Stop every Herald process that uses the
source first. To resume an interrupted copy, run the same command again.

  ${commandLine('db:copy', ' --to mongodb://host/herald')}      from the embedded store to MongoDB
  ${commandLine('db:copy', ' --from mongodb://host/herald')}    and back, with DATA_DIR set and MONGODB_URI unset

  ${JSON_USAGE}`;

// `npm run herald -- db:copy ...`: exit code 0 when the copy is complete and compared, 2 for a wrong command line, 1 otherwise.
export async function run(): Promise<void> {
  answerHelp(process.argv.slice(2), USAGE);
  await runCommand(async () => {
    const given = placesIn(process.argv.slice(2));
    return copyBetween(given, loadConfig());
  });
}

interface Places {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

function placesIn(args: string[]): Places {
  try {
    const { values } = parseArgs({
      args,
      options: { ...JSON_OPTION, from: { type: 'string' }, to: { type: 'string' } },
    });
    if (values.from === undefined && values.to === undefined) throw new Error('--from or --to is required.');
    return values;
  } catch (error) {
    throw new CommandError(`${(error as Error).message}\n\n${USAGE}`, 2);
  }
}

async function copyBetween({ from, to }: Places, config: AppConfig): Promise<Outcome> {
  const own = configuredPlace(config);
  const source = await openPlace(from ?? own, { mayCreate: false });
  try {
    const target = await openPlace(to ?? own, { mayCreate: true });
    try {
      const { collections, records, wasResumed } = await copyStore(
        source,
        target,
        config.get('AUDIT_RETENTION_DAYS'),
        progressReporter(),
      );
      const lines = [
        `${wasResumed ? 'Finished the copy of' : 'Copied'} ${source.description} to ${target.description}: ` +
          `${records} records in ${collections} collections. Number and content are equal.`,
        await keyNotice(target, config),
      ];
      const places = { from: source.description, to: target.description };
      return { text: lines.join('\n'), data: { ...places, collections, records, wasResumed } };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

if (isStartedProgram(import.meta.url)) void run();
