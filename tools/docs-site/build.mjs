import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { read, ROOT, say, write } from '../install.mjs';
import { withLock } from '../lock.mjs';
import { writePolicy, writeSources, writeTexts } from './exports.mjs';

// npm run docs:site: makes the site that Herald serves at /docs, with the packages beside this file. Herald needs none of them,
// and a first start does not wait for them (ADR 64).
const HERE = fileURLToPath(new URL('.', import.meta.url));
const OUT = join(HERE, 'dist');
const STAMP = join(OUT, '.built');
const LOCK_FILE = join(HERE, 'package-lock.json');
/** Holds the lock file that the installed packages come from. */
const INSTALLED = join(HERE, 'node_modules', '.installed-lock.json');
const LOCK = join(HERE, '.build.lock');
const SOURCES = [
  'docs',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'ops/README.md',
  'package.json',
  'tools/docs-site',
];

/** Builds the site if it is missing or stale. @throws if npm cannot install the generator, or the generator fails */
export function buildDocsSite() {
  if (isBuilt()) return;
  withLock(LOCK, build, (pid) => say(`waiting for process ${pid}, which is building the documentation`));
}

function isBuilt() {
  return read(STAMP) === fingerprint();
}

function build() {
  if (isBuilt()) return;
  install();
  const wanted = fingerprint();
  const next = `${OUT}.next`;
  rmSync(next, { recursive: true, force: true });
  writeSources(join(HERE, 'site'));
  run(process.execPath, ['node_modules/vitepress/bin/vitepress.js', 'build']);
  writeTexts(next);
  writePolicy(next);
  write(join(next, '.built'), wanted);
  rmSync(OUT, { recursive: true, force: true });
  renameSync(next, OUT);
}

function install() {
  const lock = readFileSync(LOCK_FILE, 'utf8');
  if (existsSync(INSTALLED) && readFileSync(INSTALLED, 'utf8') === lock) return;
  run(process.platform === 'win32' ? 'npm.cmd' : 'npm', [
    'ci',
    '--ignore-scripts',
    '--prefer-offline',
    '--loglevel=error',
  ]);
  write(INSTALLED, lock);
}

function run(command, args) {
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd: HERE,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  if (status === 0) return;
  process.stderr.write(`${stdout}\n${stderr}\n`);
  throw new Error(`The documentation could not be built: ${error?.message ?? `${args[0]} failed`}.`);
}

function fingerprint() {
  const hash = createHash('sha256');
  const visit = (path) => {
    const full = join(ROOT, path);
    const info = statSync(full, { throwIfNoEntry: false });
    if (info === undefined) return;
    if (!info.isDirectory()) return void hash.update(`${path}:${info.size}:${Math.floor(info.mtimeMs)}\n`);
    for (const name of readdirSync(full).sort()) {
      if (!/^(node_modules|dist|dist\.next|site|cache|\.(?!vitepress$).*)$/.test(name)) visit(`${path}/${name}`);
    }
  };
  SOURCES.forEach(visit);
  return hash.digest('hex');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) buildDocsSite();
