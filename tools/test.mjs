import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt, ROOT } from './build.mjs';

process.chdir(ROOT);
// Tests can run on the embedded store, which is a built program.
ensureBuilt();
const jest = join('node_modules', 'jest', 'bin', 'jest.js');
const { status } = spawnSync(
  process.execPath,
  ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', jest, ...process.argv.slice(2)],
  { stdio: 'inherit' },
);
process.exit(status ?? 1);
