import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { NestFactory } from '@nestjs/core';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { type AppConfig, commandLine, loadConfig } from '#libs/config';
import { createHttpPlatform } from '#libs/http-kit';
import {
  complete,
  databaseOf,
  ensureIndexes,
  missingIndexes,
  pendingMigrations,
  type PendingMigration,
  type Store,
} from '#libs/persistence';
import { loadPlugins, pluginMigrations } from '../../../src/bootstrap/plugin-host/index.js';
import { isStartedProgram } from '../../../src/bootstrap/started-program.js';
import { STORE_SCHEMA } from '../../../src/bootstrap/store-schema.js';
import { lookInto, openStoreWithFolder } from './existing-store.js';
import { answerHelp, CommandError, JSON_OPTION, JSON_USAGE, type Outcome, runCommand } from './run-command.js';

/** Of `--check`, for a store that is not up to date. */
const BEHIND = 3;

const USAGE = `Usage: ${commandLine('db:migrate', ' [--check] [--json]')}

Brings the store to what this version of Herald and its plugins need, and ends: first migrations, then new indexes. Run it before you
start the new version, so that its processes have nothing left to do; a start does the same. Run it again when the last process of the
former version has ended: it completes what that one has written meanwhile.

  --check       change nothing, and say what there is to do; the exit code is ${BEHIND} if there is anything
  ${JSON_USAGE}`;

/** What the store of an earlier version lacks. */
interface Lack {
  readonly migrations: readonly PendingMigration[];
  /** By collection. */
  readonly indexes: Readonly<Record<string, readonly string[]>>;
}

// `npm run herald -- db:migrate ...`: exit code 0 when the store is up to date, 3 if `--check` finds that it is not, 2 for a wrong
// command line, 1 otherwise.
export async function run(): Promise<void> {
  answerHelp(process.argv.slice(2), USAGE);
  await runCommand(async () => {
    const { check } = optionsIn(process.argv.slice(2));
    const config = loadConfig();
    await loadPlugins(config);
    // The bundle does not keep the order of the imports of one file.
    await import('../../../src/bootstrap/register-plugins.js');
    const store = await openStoreWithFolder(config, (error) => {
      throw error;
    });
    try {
      const lack = await (check ? lackOf(config, store) : bringUp(config, store));
      return lack === undefined ? isNew(store, check) : outcomeOf(lack, store, check);
    } finally {
      await store.close();
    }
  });
}

/** Undefined where no Herald has begun yet. Changes nothing. */
async function lackOf(config: AppConfig, store: Store): Promise<Lack | undefined> {
  const { connection, contents } = await lookInto(store, store.mayShare);
  try {
    if (contents.owner !== 'herald') return undefined;
    const db = databaseOf(connection);
    const migrations = await pendingMigrations(db, STORE_SCHEMA, pluginMigrations());
    const { models } = await modelsOf(config);
    return { migrations, indexes: await missingIndexes(db, Object.values(models)) };
  } finally {
    await connection.destroy();
  }
}

/** @returns what it did, or another process meanwhile */
async function bringUp(config: AppConfig, store: Store): Promise<Lack | undefined> {
  const lack = await lackOf(config, store);
  if (lack === undefined) return undefined;
  const connection = await modelsOf(config, store);
  await ensureIndexes(connection);
  const migrations = [STORE_SCHEMA, ...pluginMigrations()].flatMap((one) => one.migrations);
  await complete(databaseOf(connection), migrations);
  await connection.destroy();
  return lack;
}

/**
 * The models of Herald and of its plugins. The application is created and not initialized, so that no worker starts.
 * @param store whose migrations are carried out; absent: nothing is connected
 */
async function modelsOf(config: AppConfig, store?: Store): Promise<Connection> {
  const { AppModule } = await import('../../../src/app.module.js');
  const app = await NestFactory.create(AppModule.forRoot(config, store), await createHttpPlatform(config), {
    logger: false,
    abortOnError: false,
  });
  return app.get<Connection>(getConnectionToken());
}

function isNew({ description }: Store, check: boolean): Outcome {
  const text = `There is no store of Herald in the ${description} yet, so there is nothing to do. The first start creates one.`;
  return { text, data: { store: description, checked: check, migrations: [], indexes: {} } };
}

function outcomeOf({ migrations, indexes }: Lack, { description }: Store, check: boolean): Outcome {
  const created = Object.entries(indexes).map(([collection, names]) => `${collection}: ${names.join(', ')}`);
  const isBehind = migrations.length > 0 || created.length > 0;
  const [migrated, built] = check ? ['To carry out', 'To create in'] : ['Carried out', 'Created in'];
  const lines = [
    ...migrations.map(({ plugin, version, name }) => `${migrated}: migration ${version}${ofPlugin(plugin)}, ${name}.`),
    ...created.map((line) => `${built} ${line}.`),
    `The ${description} is ${check && isBehind ? 'not ' : ''}up to date.`,
  ];
  return {
    text: lines.join('\n'),
    data: { store: description, checked: check, migrations, indexes },
    ...(check && isBehind && { exitCode: BEHIND }),
  };
}

function ofPlugin(plugin: string | undefined): string {
  return plugin === undefined ? '' : ` of the plugin ${plugin}`;
}

function optionsIn(args: string[]): { check: boolean } {
  try {
    const { values } = parseArgs({ args, options: { ...JSON_OPTION, check: { type: 'boolean' } } });
    return { check: values.check ?? false };
  } catch (error) {
    throw new CommandError(`${(error as Error).message}\n\n${USAGE}`, 2);
  }
}

if (isStartedProgram(import.meta.url)) void run();
