import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Clock } from '#libs/common';
import type { Store } from '#libs/persistence';
import { createTestApp, type SessionIdentity, type TestApp, TestSession } from '#libs/testing';
import { AppModule } from '../../src/app.module.js';
import { ApiKeysService } from '../../src/auth/index.js';
import { configureApp } from '../../src/configure-app.js';
import { EnvironmentsService, PRODUCTION, SetupService } from '../../src/environments/index.js';
import { watchErrors } from './declared-errors.js';

/** Settings by their names in the environment. */
export type Settings = Record<string, string>;

/**
 * Starts the API for tests.
 * @param settings that differ from those of all tests
 * @param store another one than that of the test run
 * @param clock one that the test moves
 */
export function startTestApi(settings: Settings = {}, store?: Store, clock?: Clock): Promise<TestApp> {
  return createTestApp({
    settings,
    ...(store && { store }),
    module: (config, store) => AppModule.forRoot(config, store, clock),
    configure: configureApp,
    prepare: async (app) => {
      watchErrors(app.getHttpServer());
      await app.get(SetupService).run();
    },
    newTenant,
  });
}

/**
 * The API for all tests of a file or of a `describe`: starts before the first one and closes after the last one.
 * @param settings that differ from those of all tests; a function is called when the API starts
 * @example
 * const api = useTestApi();
 * const session = useSession(api);
 */
export function useTestApi(settings: Settings | (() => Settings) = {}): TestApp {
  return useApp(() => startTestApi(typeof settings === 'function' ? settings() : settings));
}

/** An application that starts before the first test and closes after the last one. */
export function useApp(start: () => Promise<TestApp>): TestApp {
  let running: TestApp | undefined;
  const started = (): TestApp => {
    if (running === undefined) throw new Error('The API runs in tests and hooks only, and it has not started.');
    return running;
  };
  beforeAll(async () => {
    running = await start();
  });
  afterAll(() => running?.close());
  return {
    get app() {
      return started().app;
    },
    get url() {
      return started().url;
    },
    session: () => started().session(),
    siblings: () => started().siblings(),
    close: () => started().close(),
  };
}

/** A caller that is in a new organization for each test. */
export function useSession(api: Pick<TestApp, 'session'>): TestSession {
  const session = Object.create(TestSession.prototype) as TestSession;
  beforeEach(async () => {
    Object.assign(session, await api.session());
  });
  return session;
}

async function newTenant(app: NestFastifyApplication): Promise<{ main: SessionIdentity; sibling: SessionIdentity }> {
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
