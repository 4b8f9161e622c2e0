import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { AppConfig } from '#libs/config';
import { AppLogger, lastAnswers } from '#libs/http-kit';
import type { Store } from '#libs/persistence';
import { AppModule } from './app.module.js';
import { configureApp } from './configure-app.js';
import { type KeyNotice, SetupService } from './environments/index.js';
import type { RunningProcess } from './run-process.js';

/** How long requests in flight may take after a signal. */
const DRAIN_MS = 10_000;

export async function startApi(config: AppConfig, store: Store): Promise<RunningProcess> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.forRoot(config, store), {
    bodyParser: false,
    abortOnError: false,
    logger: new AppLogger(config),
  });
  configureApp(app);
  await app.init();
  const setup = app.get(SetupService);
  await setup.prepare();
  await app.listen(config.get('PORT'), config.get('HOST'));
  const closeConnections = lastAnswers(app.getHttpServer());
  // Only after the port is bound: a generated key is shown once, by the start that generates it.
  const key = await setup.ensureKey();
  const url = await app.getUrl();
  return {
    welcome: welcome(url, store, key),
    stop: async () => {
      closeConnections();
      const server = app.getHttpServer();
      setTimeout(() => server.closeAllConnections(), DRAIN_MS).unref();
      await app.close();
    },
  };
}

function welcome(listening: string, store: Store, { apiKey, where }: KeyNotice): string {
  const url = listening.replace('[::1]', 'localhost').replace('0.0.0.0', 'localhost');
  const lines = ['', `  Herald    ${url}`, `  Swagger   ${url}/api`, `  Data      ${store.description}`];
  if (apiKey === undefined) lines.push(`  API key   ${where}`);
  else {
    lines.push(
      `  API key   ${apiKey}   (${where})`,
      '',
      `  curl -H 'Authorization: ApiKey ${apiKey}' ${url}/v1/notification-groups`,
    );
  }
  return `${lines.join('\n')}\n\n`;
}
