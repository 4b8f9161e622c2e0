import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { loadConfig } from '#libs/config';
import { createHttpPlatform } from '#libs/http-kit';
import { syncIndexes } from '#libs/persistence';
import { loadPlugins } from '../../../src/bootstrap/plugin-host/index.js';
import { openExistingStore } from './existing-store.js';
import { printable, printableLines } from './printable.js';
import { isStartedProgram } from '../../../src/bootstrap/started-program.js';

// `npm run herald -- db:indexes`: creates the indexes of the schemas and drops all others.
export async function run(): Promise<void> {
  try {
    const config = loadConfig();
    // Without their schemas, the indexes of plugins would be dropped.
    await loadPlugins(config);
    // The bundle does not keep the order of the imports of one file.
    await import('../../../src/bootstrap/register-plugins.js');
    const { AppModule } = await import('../../../src/app.module.js');
    const store = await openExistingStore(config, (error) => fail(error.message));
    // Created but not initialized: the models exist, and no worker starts.
    const app = await NestFactory.create(AppModule.forRoot(config, store), await createHttpPlatform(config), {
      logger: false,
      abortOnError: false,
    });
    const connection = app.get<Connection>(getConnectionToken());
    const dropped = await syncIndexes(connection);
    const collections = Object.keys(connection.models).length;
    process.stdout.write(`The indexes of ${collections} collections in ${store.description} are up to date.\n`);
    for (const [collection, names] of Object.entries(dropped)) {
      process.stdout.write(`${printable(`Dropped from ${collection}: ${names.join(', ')}`)}\n`);
    }
    await app.close();
  } catch (error) {
    fail((error as Error).message);
  }
}

function fail(message: string): void {
  process.stderr.write(`${printableLines(message)}\n`);
  process.exit(1);
}

if (isStartedProgram(import.meta.url)) void run();
