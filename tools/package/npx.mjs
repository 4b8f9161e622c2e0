import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../build.mjs';
import { driveManualPlugins, packagesOfManual, PLUGIN_SETTINGS, saveManualPlugins } from './manual-plugins.mjs';
import { deliver, firstMessage, Trial } from './trial.mjs';

// npm run test:package: tests what is published, and then runs the package that those tests have packed with npx from an empty folder, as
// one does without a clone. npm installs its dependencies from the registry or its cache. Then it writes the plugins of the manual there,
// checks their types and runs them.
const folder = mkdtempSync(join(tmpdir(), 'herald-npx-'));
const { filename, size, unpackedSize } = testAndPack();
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
// npm takes the nearest parent folder with a package.json for the project.
writeFileSync(join(folder, 'package.json'), '{}');
const command = ['npx', '--yes', '--prefer-offline', `./${filename}`];
const trial = new Trial(command, folder);
const plugins = new Trial(command, join(folder, 'plugins'), PLUGIN_SETTINGS);
try {
  const began = performance.now();
  const first = await trial.start();
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  await deliver(first);
  await first.stop();
  const second = await trial.start();
  await firstMessage(second.client);
  await second.stop();
  await runPlugins();
  console.log(
    `package: ok, ${megabytes(size)} packed, ${megabytes(unpackedSize)} unpacked, ready after ${seconds} s with npx, with plugins, types and examples`,
  );
} finally {
  trial.end();
  plugins.end();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}

/** @returns what `npm pack` said of the package that the tests have left in the folder */
function testAndPack() {
  const args = ['tools/test.mjs', '--project', 'package'];
  const env = { ...process.env, HERALD_PACK_TO: folder };
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, env, stdio: 'inherit' });
  if (status !== 0) {
    rmSync(folder, { recursive: true, force: true });
    process.exit(1);
  }
  return JSON.parse(readFileSync(join(folder, 'packed.json'), 'utf8'));
}

/** In a folder that has nothing but the package and, for types, what it shares with plugins. */
async function runPlugins() {
  mkdirSync(plugins.folder);
  copyFileSync(join(folder, filename), join(plugins.folder, filename));
  writeFileSync(join(plugins.folder, 'package.json'), '{ "type": "module" }');
  saveManualPlugins(plugins.folder);
  const herald = await plugins.start();
  await driveManualPlugins(herald, plugins.folder);
  await herald.stop();
  // With the newest TypeScript, as the page has it.
  const packages = [`./${filename}`, ...packagesOfManual()];
  run('npm', 'install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--save-dev', ...packages);
  run('npx', 'tsc');
  runExamples(join(plugins.folder, 'node_modules', 'herald'));
}

/** Their tests, on the installed package instead of the clone. */
function runExamples(installed) {
  const args = ['node_modules/jest/bin/jest.js', '--selectProjects', 'store', '--', 'examples/plugin'];
  const env = { ...process.env, HERALD_HOME: installed };
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

function run(program, ...args) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: plugins.folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}:\n${stdout}${stderr}`);
}
