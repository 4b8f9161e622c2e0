import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, ROOT } from '../build.mjs';

const FILE = join(ROOT, 'openapi.json');

// node tools/checks/openapi.mjs          compares the committed document with what the code says
// node tools/checks/openapi.mjs --write  writes it
// The client is generated from this document, so it may not fit the code yet.
ensureBuilt('run');
const { status, stdout } = spawnSync(process.execPath, [join('dist', 'src', 'bootstrap', 'openapi.js')], {
  cwd: ROOT,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
  stdio: ['ignore', 'pipe', 'inherit'],
});
if (status !== 0) process.exit(1);

const committed = existsSync(FILE) ? readFileSync(FILE, 'utf8') : '';
if (process.argv.includes('--write')) {
  if (committed !== stdout) writeFileSync(FILE, stdout);
  console.log(`openapi.json: ${committed === stdout ? 'unchanged' : 'written'}`);
} else if (committed === stdout) {
  console.log('openapi: ok');
} else {
  console.error(`openapi.json differs from the code${firstDifference(committed, stdout)}. Run 'npm run docs'.`);
  process.exitCode = 1;
}

function firstDifference(before, after) {
  const [left, right] = [before.split('\n'), after.split('\n')];
  const at = right.findIndex((line, index) => line !== left[index]);
  return at < 0 ? '' : ` from line ${at + 1} on: '${(left[at] ?? '').trim()}' is now '${right[at].trim()}'`;
}
