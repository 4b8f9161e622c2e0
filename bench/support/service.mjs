// The service as a benchmark runs it: the built application in this process on a store of its own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fork } from 'node:child_process';
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { getConnectionToken } from '@nestjs/mongoose';

const dist = (path) => import(new URL(`../../dist/${path}`, import.meta.url).href);

/** Starts the application on an empty embedded store, or on MONGODB_URI. */
export async function startService(settings = {}) {
  const [{ AppConfig }, { AppModule }, { configureApp }, { SetupService, EnvironmentsService }, { ApiKeysService }] =
    await Promise.all([
      dist('libs/config/src/index.js'),
      dist('src/app.module.js'),
      dist('src/configure-app.js'),
      dist('src/environments/index.js'),
      dist('src/auth/index.js'),
    ]);
  const { openStore } = await dist('libs/persistence/src/index.js');
  const dataDir = mkdtempSync(join(tmpdir(), 'herald-bench-'));
  const config = AppConfig.from({
    LOG_LEVEL: 'error',
    DATA_DIR: dataDir,
    MONGODB_URI: process.env.MONGODB_URI,
    ALLOW_PRIVATE_URLS: '1',
    ...settings,
  });
  const store = { ...(await openStore(config, (error) => console.error(error))), monitorCommands: true };
  const app = await NestFactory.create(AppModule.forRoot(config, store), { bodyParser: false, logger: false });
  configureApp(app);
  await app.init();
  await app.get(SetupService).run();
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const connection = app.get(getConnectionToken());
  const owner = await app.get(EnvironmentsService).createOrganization('Benchmark');
  const { key } = await app.get(ApiKeysService).issue(owner, { name: 'bench' });
  return {
    app,
    url,
    apiKey: key,
    owner,
    db: connection.db,
    client: connection.getClient(),
    dist,
    description: store.description.replace(dataDir, 'a temporary folder'),
    api: (method, path, body) => call(url, key, method, path, body),
    newEnvironment: async () => {
      const other = await app.get(EnvironmentsService).createOrganization('Another');
      const issued = await app.get(ApiKeysService).issue(other, { name: 'bench' });
      return { apiKey: issued.key, owner: other };
    },
    close: async () => {
      await app.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export async function call(url, apiKey, method, path, body) {
  const answer = await fetch(url + path, {
    method,
    headers: { authorization: `ApiKey ${apiKey}`, 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text).data;
}

/** Posts bodies from another process. @returns latencies in ms and the number of responses other than 201 */
export function load({ url, apiKey, path, bodies, concurrency }) {
  const child = fork(new URL('./load.mjs', import.meta.url));
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('error', reject);
    child.send({ url, apiKey, path, bodies, concurrency });
  });
}

/** Counts the commands that the driver sends. */
export function commandCounter(client) {
  const counts = new Map();
  const listener = ({ commandName, command }) => {
    const key = `${commandName} ${command[commandName]}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  };
  client.on('commandStarted', listener);
  return {
    reset: () => counts.clear(),
    total: () => [...counts.values()].reduce((sum, n) => sum + n, 0),
    list: () => [...counts].sort((a, b) => b[1] - a[1]),
  };
}

export const percentile = (values, p) => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100))];
};

export async function until(condition, everyMs = 20, withinMs = 300_000) {
  const deadline = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('The condition was not met in time.');
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
