import type { INestApplication, Type } from '@nestjs/common';
import type { Clock } from '#libs/common';
import type { Store } from '#libs/persistence';
import {
  createTestApp,
  type SessionIdentity,
  sharedStore,
  type Tenant,
  type TestApp,
  TestSession,
} from '../harness/index.js';
import { AppModule } from '../../src/app.module.js';
import { ApiKeysService } from '../../src/platform/auth/index.js';
import { configureApp } from '../../src/bootstrap/configure-app.js';
import { EnvironmentsService, PRODUCTION, SetupService } from '../../src/management/environments/index.js';
import { useDeclaredErrors, watchErrors } from './declared-errors.js';

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
  modules: readonly Type<unknown>[] = [],
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
    newTenant,
  });
}

/**
 * The API for all tests of a file or of a `describe`. Without settings it is the one that all files of a worker share, each in
 * organizations of its own; with settings, even empty ones, it starts before the first test and closes after the last one.
 * @param settings that differ from those of all tests; a function is called when the API starts
 * @example
 * const api = useTestApi();
 * const session = useSession(api);
 */
export function useTestApi(settings?: Settings | (() => Settings)): TestApp {
  if (settings === undefined) return useApp(sharedTestApi);
  return useApp(() => startTestApi(typeof settings === 'function' ? settings() : settings));
}

let shared: Promise<TestApp> | undefined;

/** Runs until the worker ends. A run within Jest's own process (`--runInBand`) would not end, so there each file has one. */
async function sharedTestApi(): Promise<TestApp> {
  if (!process.connected) return startTestApi();
  shared ??= startTestApi({}, sharedStore());
  return { ...(await shared), close: () => Promise.resolve() };
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
  useDeclaredErrors();
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
