import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { OutboundHttp, type OutboundRequest, type OutboundResponse, ProviderError } from '#libs/channels';
import { Clock } from '#libs/common';
import { AppConfig } from '#libs/config';

/** A Herald for workflow tests: it keeps nothing, reaches nobody, and its time is set. */
export interface TestStage {
  readonly url: string;
  readonly apiKey: string;
  /** Whether plugins add to what workflow files may contain. */
  readonly hasPlugins: boolean;
  /** The time of what is called next; it may go back. */
  setTime(moment: Date): void;
  /** What the webhooks of conditions answer, by their addresses. All others cannot be reached. */
  answerWebhooks(answers: Readonly<Record<string, unknown>>): void;
  close(): Promise<void>;
}

class StageClock extends Clock {
  moment = new Date();

  now(): Date {
    return new Date(this.moment);
  }
}

/** Answers what a test foresees, and takes the place of the network. */
class StageHttp extends OutboundHttp {
  answers = new Map<string, unknown>();

  request({ url }: OutboundRequest): Promise<OutboundResponse> {
    if (!this.answers.has(url)) {
      const message = `Tests do not call ${url}. Give its answer under 'webhooks'.`;
      return Promise.reject(new ProviderError(message, { code: 'unreachable', retryable: false }));
    }
    const answer = this.answers.get(url);
    const text = JSON.stringify(answer);
    return Promise.resolve({ status: 200, headers: {}, text, isCut: false, json: () => answer });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** @param plugins as HERALD_PLUGINS */
export async function openTestStage(plugins = ''): Promise<TestStage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'herald-test-'));
  const forget = (): void => rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
  const config = AppConfig.from(settingsOf(dataDir, plugins));
  const [clock, http] = [new StageClock(), new StageHttp()];
  try {
    // The store and the application load at the same time, as at the start of Herald.
    const [store, app] = await Promise.all([openStore(dataDir), applicationOf(config)]);
    const running = await app(store.uri, clock, http);
    return {
      url: await running.getUrl(),
      apiKey: config.get('API_KEY') ?? '',
      hasPlugins: config.get('HERALD_PLUGINS').length > 0,
      setTime: (moment) => void (clock.moment = moment),
      answerWebhooks: (answers) => void (http.answers = new Map(Object.entries(answers))),
      close: async () => {
        await running.close();
        await store.stop();
        forget();
      },
    };
  } catch (error) {
    forget();
    throw error;
  }
}

function settingsOf(dataDir: string, plugins: string): Record<string, string> {
  const secret = (): string => randomBytes(32).toString('hex');
  return {
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    API_KEY: secret(),
    STORE_ENCRYPTION_KEY: secret(),
    SESSION_SECRET: secret(),
    // Integrations of tests are never called.
    ALLOW_PRIVATE_URLS: '1',
    DELIVERY_WORKER: 'off',
    CONSOLE_ENABLED: 'off',
    DOCS_ENABLED: 'off',
    LOG_LEVEL: 'silent',
    ...(plugins !== '' && { HERALD_PLUGINS: plugins }),
  };
}

async function openStore(dataDir: string): Promise<{ readonly uri: string; stop(): Promise<void> }> {
  const { launchEmbeddedMongo } = await import('@herald/embedded-mongo');
  return launchEmbeddedMongo({ dataDir, flush: false });
}

type Starter = (uri: string, clock: Clock, http: OutboundHttp) => Promise<INestApplication<Server>>;

async function applicationOf(config: AppConfig): Promise<Starter> {
  // Before the application, as in every process of Herald.
  if (config.get('HERALD_PLUGINS').length > 0) await (await import('./plugin-host/index.js')).loadPlugins(config);
  await import('./register-plugins.js');
  const { NestFactory } = await import('@nestjs/core');
  const { createHttpPlatform } = await import('#libs/http-kit');
  const { AppModule } = await import('../app.module.js');
  const { configureApp } = await import('./configure-app.js');
  const { SetupService } = await import('../platform/environments/index.js');
  return async (uri, clock, http) => {
    const store = { uri, description: 'the store of the tests', close: () => Promise.resolve() };
    const app = await NestFactory.create<INestApplication<Server>>(
      AppModule.forRoot(config, store, clock, http),
      await createHttpPlatform(config),
      { bodyParser: false, abortOnError: false, logger: false },
    );
    configureApp(app);
    await app.init();
    await app.get(SetupService).run();
    await app.listen(0, '127.0.0.1');
    return app;
  };
}
