import type { DynamicModule, INestApplication, Type } from '@nestjs/common';
import type { Clock } from '#libs/common';
import type { Store } from '#libs/persistence';
import type { SessionIdentity, TestApp } from '../harness/index.js';
import { createTestApp, type Tenant } from '../harness/create-test-app.js';
import { AppModule } from '../../src/app.module.js';
import { ApiKeysService } from '../../src/platform/auth/index.js';
import { configureApp } from '../../src/bootstrap/configure-app.js';
import { EnvironmentsService, PRODUCTION, SetupService } from '../../src/platform/environments/index.js';
import { MessageStore, type NewMessage } from '../../src/engine/messages/store/index.js';
import { watchErrors } from './declared-errors.js';
import { useApi } from './herald.js';

export { useApi, useSession } from './herald.js';

/** Settings by their names in the environment. */
export type Settings = Record<string, string>;

/**
 * Starts the API for tests.
 * @param settings that differ from those of all tests
 * @param store another one than that of the test run
 * @param clock one that the test moves
 * @param modules of a team that extends Herald
 */
export function startTestApi(
  settings: Settings = {},
  store?: Store,
  clock?: Clock,
  modules: readonly (Type<unknown> | DynamicModule)[] = [],
): Promise<TestApp> {
  return createTestApp({
    settings,
    ...(store && { store }),
    module: (config, store) => {
      const herald = AppModule.forRoot(config, store, clock);
      return { ...herald, imports: [...(herald.imports ?? []), ...modules] };
    },
    configure: configureApp,
    prepare: async (app) => {
      watchErrors(app.getHttpServer());
      await app.get(SetupService).run();
    },
    insertMessages: (app, messages) => app.get(MessageStore).insert(messages as NewMessage[]),
    newTenant,
  });
}

/**
 * The API in the process of the tests of a file or of a `describe`, for tests that reach inside it, or need settings of their own. It starts
 * before the first test and closes after the last one.
 * @param settings that differ from those of all tests; a function is called when the API starts
 */
export function useTestApi(settings: Settings | (() => Settings) = {}): TestApp {
  return useApi(() => startTestApi(typeof settings === 'function' ? settings() : settings));
}

async function newTenant(app: INestApplication): Promise<Tenant> {
  const environments = app.get(EnvironmentsService);
  const keys = app.get(ApiKeysService);
  const owner = await environments.createOrganization('Test organization');
  const issue = async (of: typeof owner): Promise<SessionIdentity> => {
    const { key } = await keys.issue(of, { name: 'test' });
    return { apiKey: key, organizationId: of.organizationId, environmentId: of.environmentId };
  };
  return {
    main: await issue(owner),
    sibling: async () => issue(await environments.ownerOf(owner.organizationId, PRODUCTION)),
  };
}
