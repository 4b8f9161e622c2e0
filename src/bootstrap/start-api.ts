import { lookup } from 'node:dns/promises';
import type { Server } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type AppConfig, commandLine } from '#libs/config';
import { AppLogger, createHttpPlatform, lastAnswers } from '#libs/http-kit';
import type { Store } from '#libs/persistence';
import { AppModule } from '../app.module.js';
import { configureApp } from './configure-app.js';
import { EnvironmentsService, type KeyNotice, SetupService } from '../platform/environments/index.js';
import { InvitationsService } from '../people/users/index.js';
import { HealthService } from '../operations/health/index.js';
import { assertRoutes } from './plugin-host/index.js';
import type { RunningProcess } from './run-process.js';

/** Where the commands look for Herald. */
const USUAL_PORT = '3000';

export async function startApi(config: AppConfig, store: Store): Promise<RunningProcess> {
  const app = await NestFactory.create<INestApplication<Server>>(
    AppModule.forRoot(config, store),
    await createHttpPlatform(config),
    {
      bodyParser: false,
      abortOnError: false,
      logger: new AppLogger(config),
    },
  );
  assertRoutes(app);
  configureApp(app);
  await app.init();
  const setup = app.get(SetupService);
  await setup.prepare();
  // One address: for some names the server would open further ports, which the connection limits do not cover.
  const { address } = await lookup(config.get('HOST'));
  await app.listen(config.get('PORT'), address);
  const closeConnections = lastAnswers(app.getHttpServer());
  // After the port is bound, because only the start that generates a key shows it.
  const key = await setup.ensureKey();
  const url = reachable(await app.getUrl());
  const firstUser = await firstUserLink(app, config, key, url);
  return {
    welcome: welcome(url, store, { ...key, ...firstUser }, pagesOf(config)),
    stop: async () => {
      // Each answer now ends its connection, so that none is idle when the server closes.
      closeConnections();
      await app.get(HealthService).drain();
      await app.close();
    },
  };
}

function pagesOf(config: AppConfig): [string, string][] {
  const pages: [string, string][] = [['Swagger', '/api']];
  if (config.get('DOCS_ENABLED') === 'on') pages.push(['Manual', '/docs']);
  if (config.get('CONSOLE_ENABLED') === 'on') pages.push(['Console', '/console']);
  return pages;
}

function reachable(listening: string): string {
  return listening.replace('[::1]', 'localhost').replace('0.0.0.0', 'localhost');
}

interface Notice extends KeyNotice {
  readonly firstUser?: string;
}

/** At the very first start only: later logs have no secrets. */
async function firstUserLink(
  app: INestApplication,
  config: AppConfig,
  { isFirst }: KeyNotice,
  url: string,
): Promise<Pick<Notice, 'firstUser'>> {
  if (!isFirst || config.get('CONSOLE_ENABLED') !== 'on' || config.get('PASSWORD_SIGN_IN') === 'off') return {};
  const owner = await app.get(EnvironmentsService).ensureDefaultOrganization();
  return { firstUser: await app.get(InvitationsService).inviteFirst(owner, config.get('PUBLIC_URL') ?? url) };
}

/** What makes a workflow and triggers it, with the key of DATA_DIR. */
function firstMessage(url: string): string[] {
  const at = new URL(url).port === USUAL_PORT ? '' : `HERALD_URL=${url} `;
  const body = { name: 'Hello', active: true, steps: [{ template: { type: 'in_app', content: 'Hello from Herald' } }] };
  return [
    `  ${at}${commandLine('call', ` POST workflows '${JSON.stringify(body)}'`)}`,
    `  ${at}${commandLine('trigger', ' hello --to ada --wait')}`,
  ];
}

function welcome(url: string, store: Store, { apiKey, where, firstUser }: Notice, pages: [string, string][]): string {
  const lines = ['', `  Herald    ${url}`, ...pages.map(([name, path]) => `  ${name.padEnd(10)}${url}${path}`)];
  lines.push(`  Data      ${store.description}`);
  if (apiKey === undefined) lines.push(`  API key   ${where}`);
  else
    lines.push(
      `  API key   ${apiKey}   (${where})`,
      '',
      '  A first message, in a second terminal:',
      ...firstMessage(url),
    );
  if (firstUser !== undefined) {
    lines.push('', '  To sign in by email instead, open this link once, within a day:', `  ${firstUser}`);
  }
  return `${lines.join('\n')}\n\n`;
}
