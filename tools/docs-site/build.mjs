import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPage, read, ROOT, say, write } from '../install.mjs';
import { withLock } from '../lock.mjs';
import { writePolicy, writeSources, writeTexts } from './exports.mjs';

// Makes the site that Herald serves at /docs. Herald needs none of the packages of its generator, and a first start does not wait for
// them (ADR 64).
const HERE = fileURLToPath(new URL('.', import.meta.url));
const OUT = join(HERE, 'dist');
const STAMP = join(OUT, '.built');
const LOCK = join(HERE, '.build.lock');
const SOURCES = [
  'docs',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'ops/README.md',
  'openapi.json',
  'package.json',
  'tools/docs-site',
  'tools/openapi-example.mjs',
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
  installPage('tools/docs-site');
  const wanted = fingerprint();
  const next = `${OUT}.next`;
  rmSync(next, { recursive: true, force: true });
  writeSources(join(HERE, 'site'));
  generate();
  writeTexts(next);
  writePolicy(next);
  write(join(next, '.built'), wanted);
  rmSync(OUT, { recursive: true, force: true });
  renameSync(next, OUT);
}

function generate() {
  const vitepress = join(ROOT, 'node_modules', 'vitepress', 'bin', 'vitepress.js');
  const options = { cwd: HERE, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' };
  const { status, error, stdout, stderr } = spawnSync(process.execPath, [vitepress, 'build'], options);
  if (status === 0) return;
  process.stderr.write(`${stdout}\n${stderr}\n`);
  throw new Error(`The documentation could not be built: ${error?.message ?? 'VitePress failed'}.`);
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
