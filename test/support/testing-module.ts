import type { Server } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import type { TestingModule } from '@nestjs/testing';
import { AppConfig } from '#libs/config';
import { createHttpPlatform } from '#libs/http-kit';
import { configureApp } from '../../src/bootstrap/configure-app.js';
import { SetupService } from '../../src/platform/environments/index.js';
import { TEST_SETTINGS } from '../harness/settings.js';
import { workerStore } from '../harness/index.js';
import type { Settings } from './test-api.js';

/**
 * The settings of a test that imports AppModule, with a database of its file in the store of the run.
 *
 * @example
 * const module = await Test.createTestingModule({ imports: [AppModule] }).overrideProvider(AppConfig).useValue(testConfig()).compile();
 */
export function testConfig(settings: Settings = {}): AppConfig {
  return AppConfig.from({ ...TEST_SETTINGS, MONGODB_URI: workerStore().uri, ...settings });
}

/** The application of a testing module. It listens nowhere: give its server to supertest. */
export async function applicationOf(module: TestingModule): Promise<INestApplication<Server>> {
  const platform = await createHttpPlatform(module.get(AppConfig));
  const app = module.createNestApplication<INestApplication<Server>>(platform, { bodyParser: false, logger: false });
  configureApp(app);
  await app.init();
  // Fastify has no routes before; see the manual of Nest.
  const instance = app.getHttpAdapter().getInstance() as { ready?(): PromiseLike<unknown> };
  await instance.ready?.();
  await app.get(SetupService).run();
  return app;
}

/** Of the key that the settings of tests name. */
export const TEST_KEY = `ApiKey ${TEST_SETTINGS.API_KEY}`;
