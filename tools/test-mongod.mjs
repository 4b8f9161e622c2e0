import { spawnSync } from 'node:child_process';

// Runs the tests of the store project on a real mongod: MONGOD_BINARY, or the one on the PATH.
const binary = process.env.MONGOD_BINARY ?? 'mongod';
if (spawnSync(binary, ['--version']).status !== 0) {
  process.stderr.write('No tests were run: mongod is not on the PATH, and MONGOD_BINARY is not set.\n');
} else {
  process.env.MONGOD_BINARY = binary;
  process.argv.splice(2, 0, '--project', 'store');
  await import('./test.mjs');
}
