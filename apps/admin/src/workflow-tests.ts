import type { Stage } from './testing/stage-client.js';
import { testProgram } from './testing/test-program.js';
import { isStartedProgram } from '../../../src/bootstrap/started-program.js';

// `herald test`: tests of workflow files, in this process. The outcome is printed at the end, so nothing is left to wait for.
export async function run(): Promise<void> {
  process.exitCode = await testProgram(process.argv.slice(2), {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    openStage,
  });
}

async function openStage(): Promise<Stage> {
  // Only now, because it is all of Herald.
  const { openTestStage } = await import('../../../src/bootstrap/test-stage.js');
  // eslint-disable-next-line no-restricted-properties -- the stage has settings of its own; only plugins are those of the user
  return openTestStage(process.env['HERALD_PLUGINS'] ?? '');
}

if (isStartedProgram(import.meta.url)) void run();
