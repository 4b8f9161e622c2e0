// The results of docs/performance.md: each short scenario on the Node of the image, and requests and deliveries on the oldest beside it.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../tools/build.mjs';
import { temporaryFolder } from './processes.mjs';
import { tables } from './report.mjs';

const RUNS = [
  { node: '26', only: 'requests,delivery,mail,calls,footprint' },
  { node: '20', only: 'requests,delivery' },
];

/** @returns the tables of all runs. @throws when a run fails */
export function published(args) {
  return RUNS.map(({ node, only }) => {
    const file = join(temporaryFolder(), `${node}.json`);
    const run = ['node', join(ROOT, 'bench/run.mjs'), '--full', '--only', only, '--json', file, ...args];
    const { status } = spawnSync('npm', ['exec', '--yes', `--package=node@${node}`, '--', ...run], {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (status !== 0) throw new Error(`The run on Node ${node} failed.`);
    const { machine, results } = JSON.parse(readFileSync(file, 'utf8'));
    return `${machine}\n\n${tables(results)}`;
  }).join('\n\n');
}
