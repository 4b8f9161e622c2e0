import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../tools/install.mjs';

const FOLDERS = ['test', 'src', 'libs', 'apps'];

/** Test files that repeat less often in `npm test` (test/harness/repetitions.ts). */
function longTests() {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true })
      .map((path) => join(folder, path))
      .filter(
        (path) =>
          /\.(spec|e2e-spec)\.ts$/.test(path) && readFileSync(join(ROOT, path), 'utf8').includes('repetitions({'),
      ),
  );
}

/** @returns {boolean} whether they all passed */
export function runLongTests() {
  const args = ['tools/test.mjs', '--runTestsByPath', ...longTests()];
  const env = { ...process.env, HERALD_TEST_LONG: '1' };
  return spawnSync(process.execPath, args, { cwd: ROOT, env, stdio: 'inherit' }).status === 0;
}
