import 'reflect-metadata';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { NestFactory } from '@nestjs/core';
import { getConnectionToken } from '@nestjs/mongoose';
import { EJSON } from 'bson';
import { ManualClock } from '#libs/common';
import { AppConfig } from '#libs/config';
import { createHttpPlatform, platformOf } from '#libs/http-kit';
import { AppModule } from '../../../dist/src/app.module.js';
import { configureApp } from '../../../dist/src/bootstrap/configure-app.js';
import { DeliveryWorker } from '../../../dist/src/engine/delivery/index.js';
import { MessageStore } from '../../../dist/src/engine/messages/store/index.js';
import { EnvironmentsService, PRODUCTION, SetupService } from '../../../dist/src/platform/environments/index.js';
import { ApiKeysService } from '../../../dist/src/platform/auth/index.js';
import { ErasureWorker } from '../../../dist/src/operations/personal-data/index.js';
import { WebhookWorker } from '../../../dist/src/outcomes/webhooks/index.js';

// Herald as it is built, for the tests of a worker that only speak HTTP, with a second port for what no caller can do.

/** The time of the machine, until a test stops it. */
class StoppableClock extends ManualClock {
  isStopped = false;

  now() {
    return this.isStopped ? super.now() : new Date();
  }

  /** It may have been put forward by an earlier file. */
  stop() {
    this.isStopped = true;
    this.advance(Date.now() - this.now().getTime());
  }

  goOn() {
    this.isStopped = false;
  }
}

const clock = new StoppableClock();
const { HERALD_TEST_STORE, ...settings } = process.env;
const store = { uri: HERALD_TEST_STORE, description: 'test store', close: () => Promise.resolve() };
const config = AppConfig.from(settings);
const app = await NestFactory.create(AppModule.forRoot(config, store, clock), await createHttpPlatform(config), {
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

const connection = app.get(getConnectionToken());
const environments = app.get(EnvironmentsService);
const keys = app.get(ApiKeysService);
const identityOf = async (owner) => {
  const { key } = await keys.issue(owner, { name: 'test' });
  return { apiKey: key, organizationId: owner.organizationId, environmentId: owner.environmentId };
};
/** What a file leaves behind must not become due when the next one moves the clock. */
const forgetWaiting = async () => {
  const waiting = Object.values(connection.models).filter(({ schema }) => schema.path('wakeAt') !== undefined);
  await Promise.all(waiting.map(({ collection }) => collection.deleteMany({ wakeAt: { $exists: true } })));
};
const WORKERS = { DeliveryWorker, ErasureWorker, WebhookWorker };
const ANSWERS = {
  '/organizations': async () => identityOf(await environments.createOrganization('Test organization')),
  '/siblings': async ({ organizationId }) => identityOf(await environments.ownerOf(organizationId, PRODUCTION)),
  '/routes': () =>
    platformOf(app)
      .routes()
      .filter(({ method }) => method !== 'HEAD'),
  '/refusals': () => refusals.splice(0),
  '/clock/stop': async () => {
    await forgetWaiting();
    clock.stop();
    return clock.now().getTime();
  },
  '/clock/advance': ({ ms }) => clock.advance(ms),
  '/clock/go-on': async () => {
    clock.goOn();
    await forgetWaiting();
  },
  '/drain': ({ worker = 'DeliveryWorker', until }) =>
    app.get(WORKERS[worker]).drain(until === undefined ? undefined : new Date(until)),
  '/messages': ({ messages }) => app.get(MessageStore).insert(messages),
  '/collections': async () => (await connection.listCollections()).map(({ name }) => name).sort(),
  '/store': ({ collection, method, args }) => {
    const answer = connection.collection(collection)[method](...args);
    return method === 'find' ? answer.toArray() : answer;
  },
};

const control = createServer(async (request, response) => {
  try {
    const answer = await ANSWERS[request.url](EJSON.deserialize(await json(request)));
    response.end(EJSON.stringify(answer ?? null));
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
}).listen(0, '127.0.0.1', async () => {
  process.send({ url: await app.getUrl(), control: `http://127.0.0.1:${control.address().port}` });
});
// The run has ended, however that came.
process.once('disconnect', () => process.exit());
