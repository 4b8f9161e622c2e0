import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleConsole } from './bundle-console.mjs';
import { alone, install, isInstalled, read, ROOT, run, say, write } from './install.mjs';

export { ROOT };

const STORE = 'packages/embedded-mongo';
const STORE_SOURCES = [`${STORE}/src`, `${STORE}/package.json`, `${STORE}/tsconfig.build.json`, 'tsconfig.base.json'];
const CLIENT = 'packages/client';
const INBOX = 'packages/inbox';
const INBOX_SOURCES = [`${INBOX}/src`, `${INBOX}/tools`];
const SOURCES = [
  'src',
  'libs',
  'apps',
  'nest-cli.json',
  'tsconfig.json',
  'tsconfig.app.json',
  'tools/compile.mjs',
  'tools/bundle.mjs',
  'tools/bundle-console.mjs',
  'tools/command.mjs',
  'tools/launch.mjs',
  'tools/main.mjs',
  ...INBOX_SOURCES,
  // The bundle contains the store's program.
  ...STORE_SOURCES,
];
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
      run(process.execPath, ['tools/bundle.mjs']);
      bundleConsole();
      bundleInbox();
    },
  },
];
/** For tests, tools and users; Herald itself runs without it. */
const CLIENT_PROGRAM = {
  name: 'the client',
  output: join(CLIENT, 'dist'),
  sources: [`${CLIENT}/src`, `${CLIENT}/tools`, `${CLIENT}/tsconfig.build.json`, 'tsconfig.base.json', 'openapi.json'],
  generated: [`${CLIENT}/src/schema.d.ts`, `${CLIENT}/src/operations.ts`],
  build: () => {
    run(process.execPath, [`${CLIENT}/tools/generate.mjs`]);
    run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', `${CLIENT}/tsconfig.build.json`]);
    run(process.execPath, [`${CLIENT}/tools/copy-types.mjs`]);
  },
};

/** The package of the inbox; Herald serves a bundle of its own. */
const INBOX_PROGRAM = {
  name: 'the inbox',
  output: join(INBOX, 'dist'),
  sources: [...INBOX_SOURCES, `${INBOX}/tsconfig.build.json`, 'tsconfig.base.json'],
  build: () => {
    run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', `${INBOX}/tsconfig.build.json`]);
    run(process.execPath, [`${INBOX}/tools/bundle.mjs`]);
  },
};
const BY_NAME = { store: PROGRAMS[0], server: PROGRAMS, client: CLIENT_PROGRAM, inbox: INBOX_PROGRAM };

/** If esbuild has no build for the platform, Herald starts without the component. */
function bundleInbox() {
  const { status, stderr } = spawnSync(process.execPath, [`${INBOX}/tools/bundle.mjs`, 'dist/inbox'], { cwd: ROOT });
  if (status !== 0) process.stderr.write(`herald: the inbox could not be bundled and is not served: ${stderr}\n`);
}

/**
 * Installs missing packages and builds stale programs; returns quickly if everything is current.
 * @param {'run' | 'all'} packages those that the caller needs
 */
export function ensureBuilt(packages = 'all') {
  ensurePrograms(packages === 'all' ? [...PROGRAMS, CLIENT_PROGRAM] : PROGRAMS, packages);
}

function ensurePrograms(programs, packages) {
  if (isInstalled(packages) && programs.every(isBuilt)) return;
  alone(() => {
    install(packages);
    for (const program of programs) buildStale(program);
  });
}

/** The program of the API. */
export const API_PROGRAM = join(ROOT, 'dist', 'bundle', 'main.js');
/** The program that runs the commands. */
export const COMMAND_PROGRAM = join(ROOT, 'dist', 'bundle', 'command.js');

function isBuilt(program) {
  return read(stampOf(program.output)) === fingerprint(program);
}

/** Rebuilds a program if its sources have changed. */
function buildStale(program) {
  if (isBuilt(program)) return;
  const wanted = fingerprint(program);
  say(`building ${program.name}`);
  rmSync(join(ROOT, program.output), { recursive: true, force: true });
  program.build();
  write(stampOf(program.output), wanted);
}

function stampOf(output) {
  return join(ROOT, output, '.herald-build');
}

/** The versions of what programs are made of; those of other development packages change nothing. */
function lockedVersions() {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([path, { dev = false }]) => path.includes('node_modules/') && !dev)
    .map(([path, { version }]) => `${path}@${version}\n`);
}

/**
 * Changes whenever a source file is added, removed or written, except `generated` ones, which the build writes. Copies of files keep
 * milliseconds, and not their parts.
 */
function fingerprint({ sources, generated = [] }) {
  const hash = createHash('sha256');
  const visit = (path) => {
    const info = statSync(join(ROOT, path), { throwIfNoEntry: false });
    if (info === undefined) return;
    if (!info.isDirectory()) return void hash.update(`${path}:${info.size}:${Math.floor(info.mtimeMs)}\n`);
    for (const name of readdirSync(join(ROOT, path)).sort()) {
      if (!isExcluded(name) && !generated.includes(join(path, name))) visit(join(path, name));
    }
  };
  sources.forEach(visit);
  for (const line of lockedVersions()) hash.update(line);
  return hash.digest('hex');
}

/** Files that tsconfig.app.json excludes as well. */
function isExcluded(name) {
  return name === 'node_modules' || name === 'test' || /\.(spec|e2e-spec)\.ts$/.test(name);
}

// node tools/build.mjs [store] [server] [client] [inbox]
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = process.argv.slice(2);
  if (names.length > 0)
    ensurePrograms(
      names.flatMap((name) => BY_NAME[name]),
      'all',
    );
  else ensureBuilt();
}
