import 'reflect-metadata';
import { createServer } from 'node:http';
import { NestFactory } from '@nestjs/core';
import { AppConfig } from '#libs/config';
import { createHttpPlatform } from '#libs/http-kit';
import { AppModule } from '../../../dist/src/app.module.js';
import { configureApp } from '../../../dist/src/bootstrap/configure-app.js';
import { DeliveryWorker } from '../../../dist/src/engine/delivery/index.js';
import { EnvironmentsService, PRODUCTION, SetupService } from '../../../dist/src/platform/environments/index.js';
import { ApiKeysService } from '../../../dist/src/platform/auth/index.js';

// Herald as it is built, for the tests of a worker that only speak HTTP, with a second port for what no caller can do.
const { HERALD_TEST_STORE, ...settings } = process.env;
const store = { uri: HERALD_TEST_STORE, description: 'test store', close: () => Promise.resolve() };
const config = AppConfig.from(settings);
const app = await NestFactory.create(AppModule.forRoot(config, store), await createHttpPlatform(config), {
  bodyParser: false,
  abortOnError: false,
  logger: false,
});
configureApp(app);
await app.init();
await app.get(SetupService).run();
await app.listen(0, '127.0.0.1');

/** Answers that refuse something, since they were last asked for. */
const refusals = [];
app.getHttpServer().prependListener('request', ({ method, url }, response) => {
  const end = response.end.bind(response);
  response.end = (...args) => {
    if (response.statusCode >= 400) refusals.push({ method, url, body: String(args[0]) });
    return end(...args);
  };
});

const environments = app.get(EnvironmentsService);
const keys = app.get(ApiKeysService);
const identityOf = async (owner) => {
  const { key } = await keys.issue(owner, { name: 'test' });
  return { apiKey: key, organizationId: owner.organizationId, environmentId: owner.environmentId };
};
const ANSWERS = {
  '/organizations': async () => identityOf(await environments.createOrganization('Test organization')),
  '/refusals': () => refusals.splice(0),
  '/drain': async () => void (await app.get(DeliveryWorker).drain()),
  '/siblings': async ({ organizationId }) => identityOf(await environments.ownerOf(organizationId, PRODUCTION)),
};

const control = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  try {
    response.end(JSON.stringify((await ANSWERS[pathname](Object.fromEntries(searchParams))) ?? null));
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
}).listen(0, '127.0.0.1', async () => {
  process.send({ url: await app.getUrl(), control: `http://127.0.0.1:${control.address().port}` });
});
// The run has ended, however that came.
process.once('disconnect', () => process.exit());
