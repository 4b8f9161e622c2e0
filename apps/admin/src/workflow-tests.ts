import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { importModule } from '#libs/plugins';
import type { Stage } from './testing/stage-client.js';
import { testProgram } from './testing/test-program.js';

// `herald test`: tests of workflow files, in this process. The outcome is printed at the end, so nothing is left to wait for.
process.exitCode = await testProgram(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  openStage,
});

async function openStage(): Promise<Stage> {
  // eslint-disable-next-line no-restricted-properties -- the stage has settings of its own; only plugins are those of the user
  const plugins = process.env['HERALD_PLUGINS'] ?? '';
  const { openTestStage } = (await importModule(stageProgram())) as {
    openTestStage: (plugins: string) => Promise<Stage>;
  };
  return openTestStage(plugins);
}

/** Joined, Herald starts in a second (ADR 13). The path of the other one is computed, so that a package does not contain Herald twice. */
function stageProgram(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  for (let folder = here; dirname(folder) !== folder; folder = dirname(folder)) {
    const found = join(folder, 'bundle', 'test-stage.js');
    if (existsSync(found)) return pathToFileURL(found).href;
  }
  return pathToFileURL(join(here, '../../../src/bootstrap/test-stage.js')).href;
}
