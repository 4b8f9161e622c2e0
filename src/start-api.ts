import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { AppConfig } from '#libs/config';
import { AppLogger, lastAnswers } from '#libs/http-kit';
import type { Store } from '#libs/persistence';
import { AppModule } from './app.module.js';
import { configureApp } from './configure-app.js';
import { type NewInstallation, SetupService } from './environments/index.js';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
/** How long requests in flight may go on after a signal. */
const DRAIN_MS = 10_000;
/** Longer than the minute after which common proxies drop an idle connection, so that they never meet a closed one. */
const KEEP_ALIVE_MS = 65_000;

/** Starts the API on an open store and says where it is. */
export async function startApi(config: AppConfig, store: Store): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.forRoot(config, store), {
    bodyParser: false,
    abortOnError: false,
    logger: new AppLogger(config),
  });
  configureApp(app);
  await app.init();
  const created = await app.get(SetupService).run();
  const server = app.getHttpServer();
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.headersTimeout = KEEP_ALIVE_MS + 1_000;
  await app.listen(config.get('PORT'), config.get('HOST'));
  stopOnSignals(app);
  process.stdout.write(welcome(await app.getUrl(), store, created));
  return app;
}

/** Stops accepting, finishes what is in flight, closes the store, and ends with 0 (decisions 1.4). */
function stopOnSignals(app: NestExpressApplication): void {
  app.enableShutdownHooks([...SIGNALS], { useProcessExit: true });
  const server = app.getHttpServer();
  const closeConnections = lastAnswers(server);
  for (const signal of SIGNALS) {
    process.once(signal, () => {
      closeConnections();
      setTimeout(() => server.closeAllConnections(), DRAIN_MS).unref();
      // Something does not let go: better to end than to hang until the orchestrator kills the process.
      setTimeout(() => process.exit(1), 2 * DRAIN_MS).unref();
    });
  }
}

function welcome(listening: string, store: Store, created: NewInstallation | undefined): string {
  const url = listening.replace('[::1]', 'localhost').replace('0.0.0.0', 'localhost');
  const lines = ['', `  Herald    ${url}`, `  Swagger   ${url}/api`, `  Data      ${store.description}`];
  if (created) {
    lines.push(
      `  API key   ${created.apiKey}   (kept in ${created.file})`,
      '',
      `  curl -H 'Authorization: ApiKey ${created.apiKey}' ${url}/v1/notification-groups`,
    );
  }
  return `${lines.join('\n')}\n\n`;
}
