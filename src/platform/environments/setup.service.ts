import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { AppConfig, commandLine } from '#libs/config';
import { ensureIndexes } from '#libs/persistence';
import { readOrCreateSecretFile, readSecretFile } from '#libs/secrets';
import { ApiKeysService } from '../../platform/auth/index.js';
import { EnvironmentsService } from './environments.service.js';

const KEY_FILE = 'api-key';
const NO_KEY_FILE = `not in DATA_DIR; use one that you have, or stop Herald and make one with '${commandLine('keys', ' issue')}'`;

export interface KeyNotice {
  /** Present only if this start generated the key, which is shown once. */
  readonly apiKey?: string;
  readonly where: string;
  /** No start before this one has had a key. */
  readonly isFirst: boolean;
}

@Injectable()
export class SetupService {
  private isFirst = false;

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly config: AppConfig,
    private readonly environments: EnvironmentsService,
    private readonly apiKeys: ApiKeysService,
  ) {}

  /** Idempotent; several processes may run it concurrently. */
  async run(): Promise<KeyNotice> {
    await this.prepare();
    return this.ensureKey();
  }

  /** Everything except generating a key. A configured key works from the first request. */
  async prepare(): Promise<void> {
    await ensureIndexes(this.connection);
    const owner = await this.environments.ensureDefaultOrganization();
    const configured = this.config.get('API_KEY');
    this.isFirst = !(await this.apiKeys.anyExists());
    if (configured !== undefined) await this.apiKeys.ensure(owner, configured, 'API_KEY setting');
    await this.environments.announceAll();
  }

  /** Call when the start can no longer fail, because a generated key is shown only once. */
  async ensureKey(): Promise<KeyNotice> {
    const { isFirst } = this;
    if (this.config.get('API_KEY') !== undefined) return { where: 'as set by API_KEY', isFirst };
    const owner = await this.environments.ensureDefaultOrganization();
    const dataDir = this.config.get('DATA_DIR');
    const known = readSecretFile(dataDir, KEY_FILE);
    if (await this.apiKeys.anyExists()) {
      const file = join(dataDir, KEY_FILE);
      return { where: known === undefined ? NO_KEY_FILE : `kept in ${file}`, isFirst: false };
    }
    const { value, path } = readOrCreateSecretFile(dataDir, KEY_FILE);
    await this.apiKeys.ensure(owner, value, 'first key');
    return { where: `kept in ${path}`, isFirst, ...(known === undefined && { apiKey: value }) };
  }
}
