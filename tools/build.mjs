import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, BUNDLED_API } from './bundle.mjs';
import { withLock } from './lock.mjs';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
const STORE = 'packages/embedded-mongo';
const STORE_SOURCES = [
  `${STORE}/src`,
  `${STORE}/package.json`,
  `${STORE}/tsconfig.build.json`,
  'tsconfig.base.json',
  'package-lock.json',
];
const SOURCES = [
  'src',
  'libs',
  'apps',
  'nest-cli.json',
  'tsconfig.json',
  'tsconfig.app.json',
  'tools/compile.mjs',
  'tools/bundle.mjs',
  'tools/launch.mjs',
  // The bundle contains the store's program.
  ...STORE_SOURCES,
];
const INSTALL_STAMP = join(ROOT, 'node_modules', '.herald-install');
/** Neither in node_modules, which an installation removes, nor in a folder that other users can write to. */
const LOCK = join(ROOT, '.herald-build.lock');
const PROGRAMS = [
  {
    name: 'the embedded store',
    output: join(STORE, 'dist'),
    sources: STORE_SOURCES,
    build: () => run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', `${STORE}/tsconfig.build.json`]),
  },
  {
    name: 'Herald',
    output: 'dist',
    sources: SOURCES,
    build: () => {
      run(process.execPath, ['tools/compile.mjs']);
      bundle();
    },
  },
];

/** Installs missing packages and builds stale programs; returns quickly if everything is current. */
export function ensureBuilt() {
  if (isInstalled() && PROGRAMS.every(isBuilt)) return;
  const build = () => {
    ensureInstalled();
    for (const program of PROGRAMS) buildStale(program);
  };
  withLock(LOCK, build, (pid) => say(`waiting for process ${pid}, which is building (${LOCK})`));
}

/** The program of the API: the bundle, or the compiled file if there is no bundle. */
export function apiProgram() {
  const bundled = join(ROOT, BUNDLED_API);
  return existsSync(bundled) ? bundled : join(ROOT, 'dist', 'src', 'main.js');
}

function isBuilt({ output, sources }) {
  return read(stampOf(output)) === fingerprint(sources);
}

/** Rebuilds a program if its sources have changed. */
function buildStale(program) {
  if (isBuilt(program)) return;
  const wanted = fingerprint(program.sources);
  say(`building ${program.name}`);
  rmSync(join(ROOT, program.output), { recursive: true, force: true });
  program.build();
  stamp(stampOf(program.output), wanted);
}

function stampOf(output) {
  return join(ROOT, output, '.herald-build');
}

/** Installs the locked packages if they are missing or the lock file has changed. */
export function ensureInstalled() {
  if (isInstalled()) return;
  const wanted = lockDigest();
  if (!existsSync(INSTALL_STAMP) && isInstalledByHand()) return stamp(INSTALL_STAMP, wanted);
  say('installing packages');
  // Install scripts stay off: no package needs one, and none may download anything.
  run(process.platform === 'win32' ? 'npm.cmd' : 'npm', ['ci', '--ignore-scripts', '--loglevel=error']);
  stamp(INSTALL_STAMP, wanted);
}

function isInstalled() {
  // A linked node_modules is managed elsewhere (several worktrees that share one installation).
  if (lstatSync(join(ROOT, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) return true;
  return read(INSTALL_STAMP) === lockDigest();
}

function lockDigest() {
  return digest(readFileSync(join(ROOT, 'package-lock.json')));
}

/** Whether `npm ci` or `npm install` was run by hand since the lock file changed. */
function isInstalledByHand() {
  const installed = join(ROOT, 'node_modules', '.package-lock.json');
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(ROOT, 'package-lock.json')).mtimeMs;
}

/** Changes whenever a source file is added, removed or written. */
function fingerprint(sources) {
  const hash = createHash('sha256');
  const visit = (path) => {
    const info = statSync(join(ROOT, path), { throwIfNoEntry: false });
    if (info === undefined) return;
    if (!info.isDirectory()) return void hash.update(`${path}:${info.size}:${info.mtimeMs}\n`);
    for (const name of readdirSync(join(ROOT, path)).sort()) if (!isExcluded(name)) visit(join(path, name));
  };
  sources.forEach(visit);
  return hash.digest('hex');
}

/** Files that tsconfig.app.json excludes as well. */
function isExcluded(name) {
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
