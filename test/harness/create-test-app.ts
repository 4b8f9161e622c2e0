import type { Server } from 'node:http';
import type { DynamicModule, INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppConfig } from '#libs/config';
import { createHttpPlatform } from '#libs/http-kit';
import type { Store } from '#libs/persistence';
import { TEST_SETTINGS } from './settings.js';
import { type SessionIdentity, TestSession } from './test-session.js';
import { workerStore } from './store/worker-store.js';

export interface Tenant {
  readonly main: SessionIdentity;
  readonly sibling: () => Promise<SessionIdentity>;
}

export interface TestAppOptions {
  readonly module: (config: AppConfig, store: Store) => DynamicModule;
  readonly configure: (app: INestApplication<Server>) => unknown;
  /** Runs before the first request: indexes, for instance. */
  readonly prepare: (app: INestApplication<Server>) => Promise<unknown>;
  /** Stores messages as the engine does. */
  readonly insertMessages: (app: INestApplication<Server>, messages: readonly object[]) => Promise<unknown>;
  /** Makes a new organization with a key for one of its environments, and for another one if it is asked for. */
  readonly newTenant: (app: INestApplication<Server>) => Promise<Tenant>;
  /** Settings that differ from those of all tests. */
  readonly settings?: Record<string, string>;
  readonly store?: Store;
}

/** A running Herald with its real store, reached over HTTP. */
export interface TestApi {
  readonly url: string;
  /** A caller in a new organization. */
  session(): Promise<TestSession>;
  /** Two callers of one organization in different environments. */
  siblings(): Promise<[TestSession, TestSession]>;
  /** Stores messages as the engine does. */
  insertMessages(messages: readonly object[]): Promise<unknown>;
  close(): Promise<void>;
}

/** One in the process of the test. */
export interface TestApp extends TestApi {
  readonly app: INestApplication<Server>;
}

/**
 * Starts an application for tests on a free port of the loopback address.
 * @example
 * const api = await createTestApp({ module, configure: configureApp, prepare, newTenant });
 * const session = await api.session();
 * await session.post('/v1/feeds', { name: 'News' }).expect(201);
 */
export async function createTestApp(options: TestAppOptions): Promise<TestApp> {
  const config = AppConfig.from({ ...TEST_SETTINGS, ...options.settings });
  const module = options.module(config, options.store ?? workerStore());
  const created = await NestFactory.create<INestApplication<Server>>(module, await createHttpPlatform(config), {
    bodyParser: false,
    abortOnError: false,
    logger: false,
  });
  options.configure(created);
  await created.init();
  await options.prepare(created);
  await created.listen(0, '127.0.0.1');
  return testAppOf(created, await created.getUrl(), options);
}

function testAppOf(app: INestApplication<Server>, url: string, { newTenant, insertMessages }: TestAppOptions): TestApp {
  return {
    app,
    url,
    session: async () => new TestSession(url, (await newTenant(app)).main),
    siblings: async () => {
      const { main, sibling } = await newTenant(app);
      return [new TestSession(url, main), new TestSession(url, await sibling())];
    },
    insertMessages: (messages) => insertMessages(app, messages),
    close: () => app.close(),
  };
}
