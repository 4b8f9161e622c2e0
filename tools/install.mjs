import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
const STAMP = join(ROOT, 'node_modules', '.herald-install');
/** Neither in node_modules, which an installation removes, nor in a folder that other users can write to. */
const LOCK = join(ROOT, '.herald-build.lock');
/** Ends the stamp of an installation without development packages. */
const RUN_ONLY = ' run';

// What a command needs (ADR 64): 'run' to build and run Herald, 'all' to test and check it as well. The packages of the pages that tools
// build are in the same lock file; they come with `npm ci`, or when a page is built.
/** Herald and its packages, but not the pages. */
const OWN = ['--include-workspace-root', '--workspace=packages', '--workspace=apps/console'];

/** @param {'run' | 'all'} scope */
export function isInstalled(scope) {
  // A linked node_modules is managed elsewhere (several worktrees that share one installation).
  if (lstatSync(join(ROOT, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) return true;
  const [stamp, digest] = [read(STAMP), lockDigest()];
  return stamp === digest || (scope === 'run' && stamp === digest + RUN_ONLY);
}

/**
 * What npm still has to do, whichever command it was that installed: a package that somebody added with `npm install` is there already.
 * @param locked packages of package-lock.json
 * @param installed packages of node_modules/.package-lock.json, which npm writes
 * @param {'run' | 'all'} scope
 * @returns paths of packages that are missing, or have another version
 */
export function outdatedPackages(locked, installed, scope) {
  const other = Object.keys(installed).filter(
    (path) => !installed[path].link && locked[path]?.version !== installed[path].version,
  );
  const missing = Object.keys(locked)
    .filter((path) => path === '' || path === 'apps/console' || /^packages\/[^/]+$/.test(path))
    .flatMap((path) => {
      const { dependencies = {}, devDependencies = {} } = locked[path];
      const names = Object.keys(scope === 'all' ? { ...dependencies, ...devDependencies } : dependencies);
      return names.map((name) => [posix.join(path, 'node_modules', name), `node_modules/${name}`]);
    })
    .filter((places) => !places.some((place) => place in installed))
    .map(([path]) => path);
  return [...other, ...missing];
}

/**
 * Installs the locked packages that are missing. The caller holds the lock.
 * @param {'run' | 'all'} scope
 */
export function install(scope) {
  adoptInstallationByHand();
  if (isInstalled(scope)) return;
  const [stamp, digest] = [read(STAMP), lockDigest()];
  if (stamp === digest + RUN_ONLY) {
    say('installing packages for development');
    // Only adds: a Herald may be running on the packages that are there.
    npm('install', '--no-save', '--include=dev', ...OWN);
    return write(STAMP, digest);
  }
  say('installing packages');
  // An installation for development stays one when the lock file changes.
  const isRunOnly = scope === 'run' && (stamp === undefined || stamp.endsWith(RUN_ONLY));
  npm('ci', isRunOnly ? '--omit=dev' : '--include=dev', ...OWN);
  write(STAMP, isRunOnly ? digest + RUN_ONLY : digest);
}

/**
 * Adds what a page is built with.
 * @param {string} folder of its package.json
 */
export function installPage(folder) {
  alone(() => {
    install('run');
    const { devDependencies } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
    const isThere = (name) => [ROOT, join(ROOT, folder)].some((at) => existsSync(join(at, 'node_modules', name)));
    if (!Object.keys(devDependencies).every(isThere))
      npm('install', '--no-save', '--include=dev', `--workspace=${folder}`);
  });
}

/** Runs work that only one process may do at a time: installing and building. */
export function alone(work) {
  return withLock(LOCK, work, (pid) => say(`waiting for process ${pid}, which is building (${LOCK})`));
}

/** Runs a program to its end; if it fails, so does this process. */
export function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: ROOT, stdio: ['ignore', 2, 2] });
  if (status === 0) return;
  say(`'${[command, ...args].join(' ')}' failed${error ? `: ${error.message}` : ''}`);
  process.exit(1);
}

export function read(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

export function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

export function say(text) {
  process.stderr.write(`herald: ${text} …\n`);
}

export function npm(command, ...options) {
  // Install scripts stay off: no package needs one, and none may download anything. What is locked cannot be out of date.
  const args = [command, ...options, '--ignore-scripts', '--prefer-offline', '--loglevel=error'];
  run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args);
}

/** Recognizes what `npm ci` or `npm install` has installed. */
function adoptInstallationByHand() {
  const hidden = read(join(ROOT, 'node_modules', '.package-lock.json'));
  if (hidden === undefined || isInstalled('all')) return;
  const { packages: installed } = JSON.parse(hidden);
  const { packages: locked } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const scope = ['all', 'run'].find((one) => outdatedPackages(locked, installed, one).length === 0);
  if (scope !== undefined) write(STAMP, scope === 'all' ? lockDigest() : lockDigest() + RUN_ONLY);
}

function lockDigest() {
  return createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex');
}
