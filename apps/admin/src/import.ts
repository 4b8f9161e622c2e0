import 'reflect-metadata';
import { loadConfig } from '#libs/config';
import { importProgram, IMPORT_USAGE } from './importing/import-program.js';
import { answerHelp, runCommand } from './run-command.js';
import { isStartedProgram } from '../../../src/bootstrap/started-program.js';

// `npm run herald -- import novu ...`: exit code 0 when everything that fits is stored, 2 for a wrong command line, 1 otherwise.
export async function run(): Promise<void> {
  const args = process.argv.slice(2);
  answerHelp(args, IMPORT_USAGE);
  await runCommand(() => importProgram(args, loadConfig()));
}

if (isStartedProgram(import.meta.url)) void run();
