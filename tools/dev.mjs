import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync, watch } from 'node:fs';
import { join, relative, sep } from 'node:path';
import esbuild from 'esbuild';
import { ensureBuilt, ROOT } from './build.mjs';
import { bundleOptions } from './bundle.mjs';
import { bundleConsole } from './bundle-console.mjs';
import { CompiledSources } from './compile.mjs';
import { say } from './install.mjs';

// npm run start:dev: Herald, started again after each change of a source file (ADR 151). Three things make it fast. Only the files that were
// saved are compiled, by a compiler that keeps the others. Only Herald's own files are bundled. And the next process has loaded all
// packages before it is needed.
const OUT = 'dist/dev';
const PROGRAM = join(ROOT, 'tools', 'dev-program.mjs');
/** An editor writes several files at once. */
const SETTLE_MS = 50;
const STOP_MS = 5_000;
const isDebugged = process.argv.includes('--debug');

process.chdir(ROOT);
const changed = new Set();
const followed = new Set();
/** What was saved with a fault is compiled again with the next change, and all that was saved with it. */
let left = [];
let timer;
let isBusy = true;
// Before anything is read: what is saved while Herald starts is a change as well.
for (const folder of ['src', 'libs', 'apps', 'packages/inbox/src']) follow(join(ROOT, folder));
ensureBuilt('run');
const bundle = await esbuild.context({ ...bundleOptions(undefined, OUT), packages: 'external', inject: [] });
let packages = await bundled();
let running = start(loaded());
let next = loaded();
// Read before the first change, which then takes as long as every other.
const sources = new CompiledSources();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void end());
isBusy = false;
await update();

/** Each folder has its own watch: one of Node for a whole tree loses files on Linux that an editor replaces. */
function follow(folder, isNew = false) {
  if (followed.has(folder)) return;
  followed.add(folder);
  const watcher = watch(folder, (_event, name) => {
    const path = join(folder, String(name));
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) follow(path, true);
    else saw(path);
  });
  watcher.on('error', () => {
    followed.delete(folder);
    watcher.close();
  });
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (['node_modules', 'test'].includes(entry.name)) continue;
    if (entry.isDirectory()) follow(join(folder, entry.name), isNew);
    else if (isNew) saw(join(folder, entry.name));
  }
}

function saw(path) {
  if (!/\.(tsx?|js|css|html)$/.test(path) || /\.(e2e-)?spec\.tsx?$/.test(path)) return;
  changed.add(path);
  clearTimeout(timer);
  timer = setTimeout(() => void update(), SETTLE_MS);
}

async function update() {
  if (isBusy) return;
  isBusy = true;
  while (changed.size > 0) {
    const files = [...new Set([...left, ...changed])];
    changed.clear();
    left = [];
    await take(files).catch((error) => {
      left = files;
      process.stderr.write(`${error.message}\n`);
    });
  }
  isBusy = false;
}

async function take(files) {
  say(files.map((file) => relative(ROOT, file)).join(', '));
  const below = (folder) => files.filter((file) => file.startsWith(join(ROOT, folder) + sep));
  const ofConsole = below('apps/console');
  const ofInbox = below('packages/inbox');
  const own = files.filter((file) => !ofConsole.includes(file) && !ofInbox.includes(file) && file.endsWith('.ts'));
  // Files of pages are read when Herald starts.
  if (ofConsole.length > 0) bundleConsole(true);
  if (ofInbox.length > 0) await bundleInbox();
  if (own.length > 0) sources.compile(own);
  const stopping = stop(running);
  if (own.length > 0) packages = await bundled();
  await stopping;
  running = start(next);
  next = loaded();
}

/** A fault in it is told, and does not end the program. */
async function bundleInbox() {
  const bundler = spawn(process.execPath, ['packages/inbox/tools/bundle.mjs', 'dist/inbox', '--development'], {
    stdio: ['ignore', 2, 2],
  });
  const [code] = await once(bundler, 'exit');
  if (code !== 0) throw new Error('herald: the inbox could not be bundled.');
}

/** @returns the packages that Herald imports */
async function bundled() {
  const { metafile } = await bundle.rebuild();
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  return [
    ...new Set(imports.filter(({ external, kind }) => external && kind === 'import-statement').map(({ path }) => path)),
  ];
}

/** A process that has all packages, and waits for the word to start. */
function loaded() {
  const child = fork(PROGRAM, { execArgv: ['--max-semi-space-size=32', '--enable-source-maps'] });
  child.send({ packages });
  return child;
}

function start(child) {
  child.send({ program: join(ROOT, OUT, 'main.js'), isDebugged });
  return child;
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const last = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(last);
}

async function end() {
  next.kill('SIGKILL');
  await stop(running);
  process.exit(0);
}
