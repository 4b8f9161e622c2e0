import { type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import type { AppConfig } from '#libs/config';
import { ensureIndexes, type Store } from '#libs/persistence';
import { ApiKeysService } from '../../../../src/auth/index.js';
import { EnvironmentsService } from '../../../../src/environments/index.js';
import { AdminModule } from '../admin.module.js';
import type { KeyBook } from './key-book.js';

/** Noted as `issuedBy` and `deletedBy` where no API key did it. */
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
  });
  try {
    return await use(await storedKeys(context, environment));
  } finally {
    await context.close();
  }
}

async function storedKeys(context: INestApplicationContext, environment: string): Promise<KeyBook> {
  await ensureIndexes(context.get<Connection>(getConnectionToken()));
  const environments = context.get(EnvironmentsService);
  const apiKeys = context.get(ApiKeysService);
  const { organizationId } = await environments.ensureDefaultOrganization();
  const owner = await environments.ownerOf(organizationId, environment);
  return {
    list: () => apiKeys.list(owner.environmentId),
    idOf: (key) => apiKeys.idOf(owner.environmentId, key),
    issue: (key) => apiKeys.issue(owner, { ...key, issuedBy: BY_COMMAND }),
    rotate: (id) => apiKeys.rotate({ ...owner, apiKeyId: BY_COMMAND }, id),
    revoke: (id) => apiKeys.revoke(owner.environmentId, id, BY_COMMAND),
  };
}
