import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../build.mjs';
import { deliver, firstMessage, Trial } from './trial.mjs';

// npm run test:package: packs the repository, and runs the package with npx from an empty folder, as one does without a clone.
// npm installs its dependencies from the registry or its cache.
const folder = mkdtempSync(join(tmpdir(), 'herald-npx-'));
const { stdout, stderr, status } = spawnSync('npm', ['pack', '--json', '--pack-destination', folder], {
  cwd: ROOT,
  encoding: 'utf8',
});
if (status !== 0) throw new Error(stderr);
const { filename, size, unpackedSize } = JSON.parse(stdout.slice(stdout.indexOf('[')))[0];
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
// npm takes the nearest parent folder with a package.json for the project.
writeFileSync(join(folder, 'package.json'), '{}');
const trial = new Trial(['npx', '--yes', '--prefer-offline', `./${filename}`], folder);
try {
  const began = performance.now();
  const first = await trial.start();
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  await deliver(first);
  await first.stop();
  const second = await trial.start();
  await firstMessage(second.url, second.apiKey);
  await second.stop();
  console.log(
    `package: ok, ${megabytes(size)} packed, ${megabytes(unpackedSize)} unpacked, ready after ${seconds} s with npx`,
  );
} finally {
  trial.end();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}
