import { NestFactory } from '@nestjs/core';
import mongoose from 'mongoose';
import { workerStore } from '../../../test/harness/index.js';
import type { Migration } from './migrations/migrator.js';
import { MongoModule } from './mongo.module.js';

describe('MongoModule', () => {
  const start = (migrations: readonly Migration[]) =>
    NestFactory.createApplicationContext(MongoModule.forRoot(workerStore(), { migrations, collections: [] }), {
      logger: false,
      abortOnError: false,
    });

  it('should leave nothing in the memory of a process that goes on after the application has closed', async () => {
    const before = mongoose.connections.length;
    const app = await start([]);
    expect(mongoose.connections).toHaveLength(before + 1);
    await app.close();
    expect(mongoose.connections).toHaveLength(before);
  });

  it('should leave nothing there when a migration fails', async () => {
    // A new store has nothing to change.
    await (await start([])).close();
    const before = mongoose.connections.length;
    const fails: Migration = { version: 1, name: 'fails', run: () => Promise.reject(new Error('It does not fit.')) };
    await expect(start([fails])).rejects.toThrow('It does not fit.');
    expect(mongoose.connections).toHaveLength(before);
  });
});
