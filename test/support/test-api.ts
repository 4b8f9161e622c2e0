import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Clock } from '#libs/common';
import type { Store } from '#libs/persistence';
import { createTestApp, type SessionIdentity, type TestApp } from '#libs/testing';
import { AppModule } from '../../src/app.module.js';
import { ApiKeysService } from '../../src/auth/index.js';
import { configureApp } from '../../src/configure-app.js';
import { EnvironmentsService, PRODUCTION, SetupService } from '../../src/environments/index.js';

/**
 * Starts the API for tests.
 * @param settings that differ from those of all tests
 * @param store another one than that of the test run
 * @param clock one that the test moves
 */
export function startTestApi(settings: Record<string, string> = {}, store?: Store, clock?: Clock): Promise<TestApp> {
  return createTestApp({
    settings,
    ...(store && { store }),
    module: (config, store) => AppModule.forRoot(config, store, clock),
    configure: configureApp,
    prepare: (app) => app.get(SetupService).run(),
    newTenant,
  });
}

async function newTenant(app: NestExpressApplication): Promise<{ main: SessionIdentity; sibling: SessionIdentity }> {
  const environments = app.get(EnvironmentsService);
  const keys = app.get(ApiKeysService);
  const owner = await environments.createOrganization('Test organization');
  const production = await environments.ownerOf(owner.organizationId, PRODUCTION);
  const issue = async (of: typeof owner): Promise<SessionIdentity> => {
    const { key } = await keys.issue(of, { name: 'test' });
    return { apiKey: key, organizationId: of.organizationId, environmentId: of.environmentId };
  };
  return { main: await issue(owner), sibling: await issue(production) };
}
