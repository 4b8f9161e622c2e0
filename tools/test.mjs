import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt, ROOT } from './build.mjs';

process.chdir(ROOT);
// Tests can run on the embedded store, which is a built program.
ensureBuilt();
const [first, second, ...rest] = process.argv.slice(2);
// At the end, because Jest takes everything up to the next option for the name of a project.
const args = first === '--project' ? [...rest, '--selectProjects', second] : process.argv.slice(2);
const jest = join('node_modules', 'jest', 'bin', 'jest.js');
const { status } = spawnSync(process.execPath, [jest, ...args], { stdio: 'inherit' });
process.exit(status ?? 1);
