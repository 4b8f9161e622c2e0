import { DynamicModule, Module } from '@nestjs/common';
import { getConnectionToken } from '@nestjs/mongoose';
import mongoose, { type Connection } from 'mongoose';
import { AppConfig } from '#libs/config';
import { ENCRYPTION_KEY_FILE } from '#libs/persistence';
import type { SealedField } from './sealed-field.js';
import { SecretBox } from './secret-box.js';
import { forgetSecretFile, newSecret, readOrCreateSecretFile } from './secret-files.js';
import { StoreKey } from './store-key.js';

/**
 * Uses STORE_ENCRYPTION_KEY, or a key generated into DATA_DIR. The application does not start if the key does not match
 * the store.
 */
@Module({})
export class SecretsModule {
  /** @param fields every field that contains sealed texts */
  static forRoot(fields: readonly SealedField[]): DynamicModule {
    return {
      module: SecretsModule,
      global: true,
      providers: [
        {
          provide: SecretBox,
          inject: [AppConfig, getConnectionToken()],
          useFactory: (config: AppConfig, connection: Connection) => openBox(config, connection, fields),
        },
      ],
      exports: [SecretBox],
    };
  }
}

async function openBox(config: AppConfig, connection: Connection, fields: readonly SealedField[]): Promise<SecretBox> {
  const configured = config.get('STORE_ENCRYPTION_KEY');
  const dataDir = config.get('DATA_DIR');
  // Tools that only inspect the modules have no store. A key without one would say that it is lost.
  if (connection.readyState !== mongoose.ConnectionStates.connected) return new SecretBox([configured ?? newSecret()]);
  const file = configured === undefined ? readOrCreateSecretFile(dataDir, ENCRYPTION_KEY_FILE) : undefined;
  const current = configured ?? file?.value ?? '';
  const box = new SecretBox([current, ...config.get('STORE_ENCRYPTION_OLD_KEYS')]);
  try {
    await new StoreKey(connection, box, fields).join();
  } catch (error) {
    // Removes the generated key, so that the right one can replace it.
    if (file?.created === true) forgetSecretFile(dataDir, ENCRYPTION_KEY_FILE);
    await connection.close();
    throw error;
  }
  return box;
}
