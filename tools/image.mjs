import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Herald } from '@herald/client';
import { ROOT } from './install.mjs';
import { deliver, firstMessage } from './package/trial.mjs';

// npm run test:image [-- --image NAME] [options of `docker build`]: builds the container image, and runs it as docs/operations.md and
// ops/kubernetes do, with docker or podman; where neither works, buildah builds it only, or it is
// skipped, as without a base image and a registry to pull it from. `--image` takes an image that is built already.
const READY_WITHIN_MS = 120_000;
const STOP_WITHIN_S = 30;
/** The limits of ops/kubernetes, and half the memory. */
const LIKE_KUBERNETES = ['--read-only', '--cap-drop=ALL', '--security-opt=no-new-privileges', '--memory=512m'];
const MANUAL = join(ROOT, 'docs', 'manual', 'plugins.md');
const STORE = 'mongodb://127.0.0.1:27017/herald?directConnection=true';

const engine = ['docker', 'podman'].find((name) => spawnSync(name, ['info'], { stdio: 'ignore' }).status === 0);
if (engine === undefined) {
  buildOnly(process.argv.slice(2));
  process.exit();
}
const run = `herald-test-${process.pid}`;
const containers = [];
const folder = mkdtempSync(join(tmpdir(), 'herald-image-'));
try {
  const image = imageOf(process.argv.slice(2));
  const options = [`--volume=${run}:/data`, '--hostname=herald'];
  const herald = start(image, 'herald', [...options, '--publish=127.0.0.1::3000']);
  const seconds = await ready(herald);
  const apiKey = call('exec', herald, 'cat', '/data/api-key');
  const memory = call('stats', '--no-stream', '--format={{.MemUsage}}', herald).split('/')[0].trim();
  checkHealth(image, herald);
  assert.equal(await deliver({ client: clientOf(herald, apiKey) }), 'Hello Ada');
  refuse(image, options);
  call('exec', herald, 'herald', 'backup', '--to', '/data/backup');
  stop(herald);
  call('start', herald);
  await ready(herald);
  assert.equal(await firstMessage(clientOf(herald, apiKey)), 'Hello Ada', 'data should survive a restart');
  stop(herald);
  await stopDuringStart(herald);
  await restore(image, apiKey);
  await work(image);
  await loadPlugin(image);
  const megabytes = (Number(inspect(image).Size) / 1e6).toFixed(0);
  console.log(
    `image: ok with ${engine}, ${megabytes} MB, ready after ${seconds} s with ${memory}, as API with the embedded store, as worker, with a plugin, backup and restore`,
  );
} finally {
  for (const name of containers.reverse()) spawnSync(engine, ['rm', '--force', '--volumes', name], { stdio: 'ignore' });
  spawnSync(engine, ['volume', 'rm', run], { stdio: 'ignore' });
  spawnSync(engine, ['rmi', '--force', `${run}-plugin`], { stdio: 'ignore' });
  rmSync(folder, { recursive: true, force: true });
}

/** Without an engine that can run it, the image is at least built where buildah can. */
function buildOnly(args) {
  if (spawnSync('buildah', ['info'], { stdio: 'ignore' }).status !== 0) {
    console.log('image: skipped. It requires a running docker daemon, podman or buildah.');
    return;
  }
  const base = baseImage(args);
  const pull = spawnSync('buildah', ['pull', '--policy=missing', base], { encoding: 'utf8' });
  if (/no such host|connection refused|network is unreachable|i\/o timeout/.test(pull.stderr)) {
    console.log(`image: skipped. The registry of ${base} cannot be reached.`);
    return;
  }
  const { status } = spawnSync('buildah', ['build', '--format=docker', '--tag=herald', ...args, ROOT], {
    stdio: ['ignore', 2, 2],
  });
  console.log(status === 0 ? 'image: built with buildah; not run' : 'image: buildah failed');
  process.exitCode = status === 0 ? 0 : 1;
}

/** As the Dockerfile says, or `--build-arg NODE_IMAGE=`. */
function baseImage(args) {
  const own = args.find((arg) => /^(?:--build-arg=)?NODE_IMAGE=/.test(arg));
  return (own ?? /^ARG (NODE_IMAGE=.*)$/m.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))[1]).replace(
    /^.*NODE_IMAGE=/,
    '',
  );
}

function imageOf(args) {
  if (args[0] === '--image') return args[1];
  // The format of OCI, podman's default, has no health check.
  const format = engine === 'podman' ? ['--format=docker'] : [];
  call('build', ...format, '--tag=herald', ...args, ROOT);
  return 'herald';
}

/** Starts a container in the background. */
function start(image, role, options, ...command) {
  const name = `${run}-${role}`;
  containers.push(name);
  call('run', '--detach', `--name=${name}`, '--no-healthcheck', ...LIKE_KUBERNETES, ...options, image, ...command);
  return name;
}

/** Waits until Herald answers its health check, and gives the seconds that it took. */
async function ready(name) {
  const began = performance.now();
  while (performance.now() - began < READY_WITHIN_MS) {
    const isReady = await fetch(`${urlOf(name)}/v1/health-check`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return ((performance.now() - began) / 1000).toFixed(1);
    if (call('inspect', '--format={{.State.Running}}', name) !== 'true') break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${name} is not ready:\n${logs(name)}`);
}

function urlOf(name) {
  return `http://${call('port', name, '3000/tcp').split('\n')[0]}`;
}

function clientOf(name, apiKey) {
  return new Herald({ baseUrl: urlOf(name), apiKey });
}

/** Runs the command of HEALTHCHECK in a container. podman has it outside `Config`. */
function checkHealth(image, name) {
  const { Config, Healthcheck: outside } = inspect(image);
  const [, ...command] = (Config.Healthcheck ?? outside).Test;
  call('exec', name, ...command);
}

/** A second container must not open the data of the first, although name and process number are the same. */
function refuse(image, options) {
  const { stderr } = spawnSync(engine, ['run', '--rm', '--no-healthcheck', ...options, image], { encoding: 'utf8' });
  assert.match(stderr, /is in use by process 1 on herald/);
}

/** Herald is process 1, and has to end by itself. */
function stop(name) {
  call('stop', '-t', String(STOP_WITHIN_S), name);
  assert.equal(
    call('inspect', '--format={{.State.ExitCode}}', name),
    '0',
    `${name} should end cleanly:\n${logs(name)}`,
  );
}

/** Repeats the signal, because Node itself does not take one in its first milliseconds. */
async function stopDuringStart(name) {
  call('start', name);
  while (call('inspect', '--format={{.State.Running}}', name) === 'true') {
    spawnSync(engine, ['kill', '--signal=TERM', name], { stdio: 'ignore' });
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.equal(call('inspect', '--format={{.State.ExitCode}}', name), '143', 'a signal should end a start');
}

/** Restores the backup beside the data that it is of. */
async function restore(image, apiKey) {
  const options = [`--volume=${run}:/data`, '--env=DATA_DIR=/data/restored'];
  call('run', '--rm', '--no-healthcheck', ...LIKE_KUBERNETES, ...options, image, 'restore', '--from', '/data/backup');
  const key = call('run', '--rm', '--no-healthcheck', ...options, '--entrypoint=cat', image, '/data/encryption-key');
  const restored = start(image, 'restored', [
    ...options,
    `--env=STORE_ENCRYPTION_KEY=${key}`,
    '--publish=127.0.0.1::3000',
  ]);
  await ready(restored);
  assert.equal(await firstMessage(clientOf(restored, apiKey)), 'Hello Ada', 'a backup should have the message');
  stop(restored);
}

/** A delivery worker on a store of its own, which both share a network. */
async function work(image) {
  const store = start(image, 'store', [], 'embedded-mongo', '--port', '27017', '--dbpath', '/data/store');
  const options = [`--network=container:${store}`, `--env=MONGODB_URI=${STORE}`];
  const worker = start(image, 'worker', options, 'worker');
  for (let tries = 0; !logs(worker).includes('"delivering"'); tries++) {
    if (tries > 200) throw new Error(`The worker is not ready:\n${logs(worker)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  checkHealth(image, worker);
  stop(worker);
  stop(store);
}

/** As docs/manual/plugins.md puts a plugin into the image. */
async function loadPlugin(image) {
  const [, plugin] = /^```js plugin note\.mjs\n(.*?)^```/ms.exec(readFileSync(MANUAL, 'utf8'));
  writeFileSync(join(folder, 'note.mjs'), plugin);
  writeFileSync(
    join(folder, 'Dockerfile'),
    `FROM ${image}\nCOPY note.mjs /plugins/note.mjs\nENV HERALD_PLUGINS=/plugins/note.mjs NOTES_FOLDER=/tmp\n`,
  );
  call('build', `--tag=${run}-plugin`, folder);
  const plugged = start(`${run}-plugin`, 'plugged', ['--publish=127.0.0.1::3000']);
  await ready(plugged);
  const document = await fetch(`${urlOf(plugged)}/openapi.json`);
  assert.match(await document.text(), /write-note/);
  stop(plugged);
}

function inspect(image) {
  return JSON.parse(call('image', 'inspect', image))[0];
}

function logs(name) {
  const { stdout, stderr } = spawnSync(engine, ['logs', name], { encoding: 'utf8' });
  return stdout + stderr;
}

function call(...args) {
  const { status, stdout, stderr } = spawnSync(engine, args, { encoding: 'utf8', maxBuffer: 1e8 });
  if (status !== 0) throw new Error(`${engine} ${args.join(' ')}:\n${stdout}${stderr}`);
  return stdout.trim();
}
