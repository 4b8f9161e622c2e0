import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { AppConfig } from '#libs/config';
import { ensureIndexes } from '#libs/persistence';
import { readOrCreateSecretFile, readSecretFile } from '#libs/secrets';
import { ApiKeysService } from '../auth/index.js';
import { EnvironmentsService } from './environments.service.js';

const KEY_FILE = 'api-key';

/** A key that this start has made, to be shown once. */
export interface NewInstallation {
  readonly apiKey: string;
  readonly file: string;
}

/** Brings a store up to what Herald needs before the first request: indexes, the first organization, a key. */
@Injectable()
export class SetupService {
  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly config: AppConfig,
    private readonly environments: EnvironmentsService,
    private readonly apiKeys: ApiKeysService,
  ) {}

  /** Idempotent; several processes may run it at once. */
  async run(): Promise<NewInstallation | undefined> {
    await ensureIndexes(this.connection);
    const owner = await this.environments.ensureDefaultOrganization();
    await this.environments.announceAll();

    const configured = this.config.get('API_KEY');
    if (configured !== undefined) {
      await this.apiKeys.ensure(owner, configured, 'API_KEY setting');
      return undefined;
    }
    const dataDir = this.config.get('DATA_DIR');
    if (await this.apiKeys.anyExists()) return undefined;
    const known = readSecretFile(dataDir, KEY_FILE);
    const { value, path } = readOrCreateSecretFile(dataDir, KEY_FILE);
    await this.apiKeys.ensure(owner, value, 'first key');
    return known === undefined ? { apiKey: value, file: path } : undefined;
  }
}
