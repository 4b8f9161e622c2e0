import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, BUNDLED_API } from './bundle.mjs';
import { withLock } from './lock.mjs';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = [
  'src',
  'libs',
  'apps',
  'nest-cli.json',
  'tsconfig.json',
  'tsconfig.app.json',
  'package-lock.json',
  'tools/bundle.mjs',
];
const INSTALL_STAMP = join(ROOT, 'node_modules', '.herald-install');
const BUILD_STAMP = join(ROOT, 'dist', '.herald-build');

/** Installs what is missing and builds what is stale; quick when there is nothing to do. */
export function ensureBuilt() {
  withLock(join(tmpdir(), `herald-build-${digest(ROOT)}.lock`), () => {
    ensureInstalled();
    buildStale();
  });
}

/** The program of the API: the bundle, or what the compiler wrote where there is none. */
export function apiProgram() {
  const bundled = join(ROOT, BUNDLED_API);
  return existsSync(bundled) ? bundled : join(ROOT, 'dist', 'src', 'main.js');
}

function buildStale() {
  const wanted = fingerprint();
  if (read(BUILD_STAMP) === wanted) return;
  say('building');
  rmSync(join(ROOT, 'dist'), { recursive: true, force: true });
  run(process.execPath, [join('node_modules', '@nestjs', 'cli', 'bin', 'nest.js'), 'build', 'api']);
  bundle();
  stamp(BUILD_STAMP, wanted);
}

/** Installs the locked packages where they are absent or the lock file has changed. */
export function ensureInstalled() {
  // A linked node_modules is somebody's own arrangement (several worktrees with one installation).
  if (lstatSync(join(ROOT, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) return;
  const wanted = digest(readFileSync(join(ROOT, 'package-lock.json')));
  if (read(INSTALL_STAMP) === wanted) return;
  if (!existsSync(INSTALL_STAMP) && sameLock()) return stamp(INSTALL_STAMP, wanted);
  say('installing packages');
  // Install scripts stay off: nothing that Herald uses needs one, and none is to reach for the network.
  run(process.platform === 'win32' ? 'npm.cmd' : 'npm', ['ci', '--ignore-scripts', '--loglevel=error']);
  stamp(INSTALL_STAMP, wanted);
}

/** True where somebody has run `npm ci` or `npm install` by hand. */
function sameLock() {
  const installed = join(ROOT, 'node_modules', '.package-lock.json');
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(ROOT, 'package-lock.json')).mtimeMs;
}

/** Changes whenever a source file is added, removed or written. */
function fingerprint() {
  const hash = createHash('sha256');
  const visit = (path) => {
    const info = statSync(join(ROOT, path), { throwIfNoEntry: false });
    if (info === undefined) return;
    if (!info.isDirectory()) return void hash.update(`${path}:${info.size}:${info.mtimeMs}\n`);
    for (const name of readdirSync(join(ROOT, path)).sort()) if (!isNoSource(name)) visit(join(path, name));
  };
  SOURCES.forEach(visit);
  return hash.digest('hex');
}

/** What tsconfig.app.json leaves out as well. */
function isNoSource(name) {
  return name === 'node_modules' || name === 'test' || /\.(spec|e2e-spec)\.ts$/.test(name);
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: ROOT, stdio: ['ignore', 2, 2] });
  if (status === 0) return;
  say(`'${[command, ...args].join(' ')}' failed${error ? `: ${error.message}` : ''}`);
  process.exit(1);
}

function digest(content) {
  return createHash('sha256').update(content).digest('hex');
}

function read(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

function stamp(path, text) {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
}

function say(text) {
  process.stderr.write(`herald: ${text} …\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) ensureBuilt();
