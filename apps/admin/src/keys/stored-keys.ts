import { DynamicModule, type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { databaseOf, ensureIndexes, MongoModule, type Store } from '#libs/persistence';
import { ApiKeysService, AuthModule } from '../../../../src/platform/auth/index.js';
import { EnvironmentsModule, EnvironmentsService } from '../../../../src/platform/environments/index.js';
import { CommandEntries } from '../audit/command-entries.js';
import { recordedKeys } from './recorded-keys.js';
import type { KeyBook } from './run-key-command.js';
import { AppConfig, ConfigModule } from '#libs/config';
import { EventsBusModule } from '#libs/common';
import { SecretsModule } from '#libs/secrets';
import { STORE_SCHEMA } from '../../../../src/bootstrap/store-schema.js';
import { SEALED_FIELDS } from '../../../../src/bootstrap/sealed-fields.js';

/** The part of Herald that the key commands need. */
@Module({})
class AdminModule {
  static forRoot(config: AppConfig, store: Store): DynamicModule {
    return {
      module: AdminModule,
      imports: [
        ConfigModule.forRoot(config),
        MongoModule.forRoot(store, STORE_SCHEMA),
        SecretsModule.forRoot(SEALED_FIELDS),
        EventsBusModule,
        AuthModule,
        EnvironmentsModule,
      ],
    };
  }
}

/** Stored as `issuedBy` and `deletedBy` when no API key did it. */
const BY_COMMAND = 'command line';

/** Runs `use` with the keys of an environment of the default organization, straight from the store. */
export async function withStoredKeys<R>(
  config: AppConfig,
  store: Store,
  environment: string,
  use: (keys: KeyBook) => Promise<R>,
): Promise<R> {
  const context = await NestFactory.createApplicationContext(AdminModule.forRoot(config, store), {
    logger: false,
    abortOnError: false,
  }).catch(async (error: unknown) => {
    // The context, which closes the store, does not exist; an embedded store that is left open keeps the process.
    await store.close();
    throw error;
  });
  try {
    return await use(await storedKeys(context, environment));
  } finally {
    await context.close();
  }
}

async function storedKeys(context: INestApplicationContext, environment: string): Promise<KeyBook> {
  const connection = context.get<Connection>(getConnectionToken());
  await ensureIndexes(connection);
  const environments = context.get(EnvironmentsService);
  const apiKeys = context.get(ApiKeysService);
  const { organizationId } = await environments.ensureDefaultOrganization();
  const owner = await environments.ownerOf(organizationId, environment);
  const entries = new CommandEntries(databaseOf(connection), context.get(AppConfig).get('AUDIT_RETENTION_DAYS'));
  const keys: KeyBook = {
    list: () => apiKeys.list(owner.environmentId),
    idOf: (key) => apiKeys.idOf(owner.environmentId, key),
    issue: (key) => apiKeys.issue(owner, { ...key, issuedBy: BY_COMMAND }),
    rotate: (id) => apiKeys.rotate({ ...owner, apiKeyId: BY_COMMAND }, id),
    revoke: (id) => apiKeys.revoke(owner.environmentId, id, BY_COMMAND),
  };
  return recordedKeys(keys, entries, owner);
}
