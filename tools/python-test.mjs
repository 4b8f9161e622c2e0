import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findHerald } from './herald.mjs';
import { ROOT } from './install.mjs';

// npm run test:python [-- --required]: builds the Python client as sdist and wheel, and tests the installed wheel against a Herald of its
// own, in a virtual environment that is removed at the end. Without Python, or where its tools cannot be installed, it is skipped;
// `--required` makes that an error.
const PACKAGE = join(ROOT, 'packages', 'python');
const OLDEST = [3, 11];
const TOOLS = ['build>=1.2,<2', 'mypy>=1.18,<3', 'pytest>=8,<10', 'httpx>=0.27,<1'];
const PIP = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input'];
const isRequired = process.argv.includes('--required');

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
  await run(base, ['-m', 'venv', join(folder, 'env')]);
  const python = join(folder, 'env', ...(process.platform === 'win32' ? ['Scripts', 'python.exe'] : ['bin', 'python']));
  try {
    await run(python, [...PIP, ...TOOLS]);
  } catch (error) {
    return skip(`Its tools cannot be installed. ${error.message.trim().split('\n').at(-1)}`);
  }
  await run(python, [...PIP, await wheelIn(join(folder, 'dist'), python)]);
  // The names of the sources are those of the installed package, which is what has to be typed.
  const types = ['-m', 'mypy', '--strict', '--cache-dir', join(folder, 'mypy'), '-p', 'herald_client'];
  await run(python, types, { cwd: folder });
  await run(python, [...types.slice(0, -2), 'tests', 'tools'], { cwd: PACKAGE });
  console.log(await testRunning(python));
  console.log(`python: ok in ${((performance.now() - started) / 1000).toFixed(0)} s`);
}

/** Builds the sdist, and the wheel from it, so that both are tried. */
async function wheelIn(dist, python) {
  await run(python, ['-m', 'build', '--outdir', dist, PACKAGE]);
  return join(
    dist,
    readdirSync(dist).find((name) => name.endsWith('.whl')),
  );
}

async function testRunning(python) {
  const herald = await findHerald(process.env);
  const env = { ...process.env, HERALD_URL: herald.url, HERALD_API_KEY: herald.apiKey, PYTHONDONTWRITEBYTECODE: '1' };
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
