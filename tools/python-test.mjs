import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { findHerald } from './herald.mjs';
import { ROOT } from './install.mjs';

// npm run test:python [-- --required --out FOLDER]: builds the Python client as sdist and wheel, checks both as the index does, and tests
// the installed wheel against a Herald of its own, in virtual environments that are removed at the end. Without Python, or where its tools
// cannot be installed, it is skipped; `--required` makes that an error. `--out` keeps what was tested, to be published.
const PACKAGE = join(ROOT, 'packages', 'python');
const OLDEST = [3, 11];
const TOOLS = ['build>=1.2,<2', 'twine>=6,<7', 'mypy>=1.18,<3', 'pytest>=8,<10', 'httpx>=0.27,<1', 'novu-py==3.19.0'];
const PIP = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input'];
const {
  values: { required: isRequired, out },
} = parseArgs({ options: { required: { type: 'boolean', default: false }, out: { type: 'string' } } });

/** A program has failed; the message is what it printed. */
class Failure extends Error {}

const base = ['python3', 'python'].find(isRecent);
if (base === undefined) {
  skip(`There is no Python ${OLDEST.join('.')} or later with venv.`);
} else {
  const folder = mkdtempSync(join(tmpdir(), 'herald-python-'));
  try {
    await test(folder);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    console.log(error.message);
    process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

function isRecent(name) {
  const check = `import sys, venv, ensurepip; sys.exit(sys.version_info < (${OLDEST.join(', ')}))`;
  return spawnSync(name, ['-c', check], { stdio: 'ignore' }).status === 0;
}

function skip(reason) {
  console.log(`python: ${isRequired ? 'failed' : 'skipped'}. ${reason}`);
  if (isRequired) process.exitCode = 1;
}

async function test(folder) {
  const started = performance.now();
  const python = await environment(folder, 'env');
  try {
    await run(python, [...PIP, ...TOOLS]);
  } catch (error) {
    return skip(`Its tools cannot be installed. ${error.message.trim().split('\n').at(-1)}`);
  }
  const files = await buildFiles(join(folder, 'dist'), python);
  const wheel = files.find((path) => path.endsWith('.whl'));
  await run(python, ['-m', 'twine', 'check', '--strict', ...files]);
  await run(python, [...PIP, wheel]);
  // The names of the sources are those of the installed package, which is what has to be typed.
  const types = ['-m', 'mypy', '--strict', '--cache-dir', join(folder, 'mypy'), '-p', 'herald_client'];
  await run(python, types, { cwd: folder });
  await run(python, [...types.slice(0, -2), 'tests', 'tools'], { cwd: PACKAGE });
  // As a user has it: the wheel, and what it says that it needs.
  const users = await environment(folder, 'users');
  await run(users, [...PIP, wheel]);
  console.log(await testRunning(python, users));
  if (out !== undefined) keep(files, out);
  const names = files.map((path) => basename(path)).join(', ');
  console.log(`python: ok in ${((performance.now() - started) / 1000).toFixed(0)} s: ${names}`);
}

/** Makes a virtual environment. @returns its Python */
async function environment(folder, name) {
  await run(base, ['-m', 'venv', join(folder, name)]);
  return join(folder, name, ...(process.platform === 'win32' ? ['Scripts', 'python.exe'] : ['bin', 'python']));
}

/** Builds the sdist, and the wheel from it, so that both are tried. */
async function buildFiles(dist, python) {
  await run(python, ['-m', 'build', '--outdir', dist, PACKAGE]);
  const names = readdirSync(dist).sort();
  const kinds = names.map((name) => /\.(whl|tar\.gz)$/.exec(name)?.[1]);
  if (kinds.join() !== 'whl,tar.gz') throw new Failure(`A wheel and an sdist were expected, not ${names.join(', ')}.`);
  return names.map((name) => join(dist, name));
}

/** Only these files are in the folder afterwards: all of it is published. */
function keep(files, folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const path of files) copyFileSync(path, join(folder, basename(path)));
}

/** @param users the Python that runs the examples of the manual */
async function testRunning(python, users) {
  const herald = await findHerald(process.env);
  const env = {
    ...process.env,
    HERALD_URL: herald.url,
    HERALD_API_KEY: herald.apiKey,
    HERALD_EXAMPLES_PYTHON: users,
    PYTHONDONTWRITEBYTECODE: '1',
  };
  try {
    return (await run(python, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'], { cwd: PACKAGE, env })).trim();
  } finally {
    await herald.stop();
  }
}

/** @returns what the program prints. @throws {Failure} */
function run(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve(output) : reject(new Failure(output))));
  });
}
