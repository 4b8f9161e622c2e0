import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt, ROOT } from './build.mjs';

process.chdir(ROOT);
// Tests can run on the embedded store, which is a built program.
ensureBuilt();
const jest = join('node_modules', 'jest', 'bin', 'jest.js');
// Jest's workers inherit it. What one test makes is gone with it: a large young generation is collected less often.
const MEMORY = ['--min-semi-space-size=16', '--max-semi-space-size=64'];
const { status } = spawnSync(process.execPath, [...MEMORY, jest, ...argumentsOf(process.argv.slice(2))], {
  stdio: 'inherit',
});
process.exit(status ?? 1);

/** Projects come last, because Jest takes everything up to the next option for the name of one. */
function argumentsOf(given) {
  const [first, second, ...rest] = given;
  if (first === '--project') return [...rest, '--selectProjects', second];
  const isWhole = given.every((arg) => arg.startsWith('-'));
  // It has a step of its own: npm run test:package.
  return isWhole ? [...given, '--ignoreProjects', 'package'] : given;
}
