// The contestants beside Herald: three applications of Nest and a bare handler.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../../tools/build.mjs';
import { freePort, hasEnded, startProcess, stopProcess, until } from './processes.mjs';

const SOURCES = join(ROOT, 'bench/baselines');
/** Below the repository, so that the compiled files find its packages. */
const COMPILED = join(ROOT, 'dist/bench');
const DECORATORS = {
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
  module: { type: 'es6' },
};

/** @returns the contestant; it takes Herald's paths and an API key of the database */
export async function startStraightforward(uri, apiKey) {
  return { ...(await startCompiled('straightforward', uri)), apiKey };
}

/** @returns the contestant; it takes Herald's paths of subscribers, and no key */
export const startPlain = (uri) => startCompiled('plain', uri);

/** @returns the contestant; it takes triggers and broadcasts on Herald's paths, and no key */
export const startQueue = (uri, redisPort) => startCompiled('queue', uri, String(redisPort));

/** @returns the contestant; its paths are in bench/baselines/bare.mjs */
export function startBare(uri, subscriberId, ...environmentId) {
  return start(join(ROOT, 'bench/baselines/bare.mjs'), [uri, subscriberId, ...environmentId]);
}

async function startCompiled(name, ...args) {
  await compile(name);
  return start(join(COMPILED, name, 'main.js'), args);
}

async function start(program, args) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = startProcess(process.execPath, [program, String(port), ...args], { cwd: ROOT });
  const isOpen = () => {
    if (hasEnded(child)) throw new Error(`${program} ended.`);
    return fetch(url).then(
      async (answer) => (await answer.text(), true),
      () => false,
    );
  };
  await until(isOpen, { everyMs: 50, withinMs: 30_000, what: program });
  return { url, pids: () => [child.pid], stop: () => stopProcess(child) };
}

async function compile(name) {
  const { transformFileSync } = await import('@swc/core');
  rmSync(join(COMPILED, name), { recursive: true, force: true });
  for (const file of filesBelow(join(SOURCES, name))) {
    const target = join(COMPILED, file.slice(SOURCES.length)).replace(/\.ts$/, '.js');
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, transformFileSync(file, DECORATORS).code);
  }
}

const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));
