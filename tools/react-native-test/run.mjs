import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Herald } from '@herald/client';
import { findHerald } from '../herald.mjs';
import { alone, npm, ROOT } from '../install.mjs';

// npm run test:react-native [-- -t NAME]: the example of the manual and the hooks of @herald/inbox/react-native, in React Native without a
// phone, against a running Herald.
const HERE = fileURLToPath(new URL('.', import.meta.url));
const PACKAGE = join(ROOT, 'packages', 'inbox');
const MANUAL = join(ROOT, 'docs', 'manual', 'inbox.md');
/** Each file holds a Herald of its own for as long as it runs. */
const herald = await findHerald(process.env);
try {
  alone(installReactNative);
  copyInbox();
  await writeExample();
  process.exitCode = await test();
} finally {
  await herald.stop();
}

/** What package.json names has exact versions, and they decide the others. */
function installReactNative() {
  const { devDependencies } = JSON.parse(readFileSync(join(HERE, 'package.json'), 'utf8'));
  const isThere = ([name, version]) => {
    const path = join(HERE, 'node_modules', name, 'package.json');
    return existsSync(path) && JSON.parse(readFileSync(path, 'utf8')).version === version;
  };
  if (!Object.entries(devDependencies).every(isThere)) npm('ci', '--prefix', HERE);
}

/** As npm installs it: beside the one React, and found by its exports. */
function copyInbox() {
  const copy = join(HERE, 'node_modules', '@herald', 'inbox');
  rmSync(copy, { recursive: true, force: true });
  for (const name of ['package.json', 'dist']) cpSync(join(PACKAGE, name), join(copy, name), { recursive: true });
}

async function writeExample() {
  const { identifier } = await new Herald({
    baseUrl: herald.url,
    apiKey: herald.apiKey,
  }).environments.getCurrentEnvironment();
  const [, example] = /^```jsx native\n(.*?)^```/ms.exec(readFileSync(MANUAL, 'utf8'));
  mkdirSync(join(HERE, 'dist'), { recursive: true });
  const code = example.replace('https://herald.example.com', herald.url).replace('aB3dE5fG7hJ9', identifier);
  writeFileSync(join(HERE, 'dist', 'App.jsx'), code);
}

/** @returns the exit code */
async function test() {
  const jest = join(HERE, 'node_modules', 'jest', 'bin', 'jest.js');
  const env = { ...process.env, HERALD_URL: herald.url, HERALD_API_KEY: herald.apiKey };
  const child = spawn(process.execPath, [jest, ...process.argv.slice(2)], { cwd: HERE, env, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}
