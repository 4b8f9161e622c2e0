// How fast notifications are delivered: in-app by single and bulk triggers and by broadcast, mail by SMTP, when idle,
// and how that compares with a bare loop that makes the same inserts. Needs `npm run build`.
//   node bench/delivery.mjs [--count 20000] [--mails 2000]
import { fork } from 'node:child_process';
import { parseArgs } from 'node:util';
import { commandCounter, load, percentile, startService, until } from './support/service.mjs';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '20000' }, mails: { type: 'string', default: '2000' } },
});
const COUNT = Number(values.count);
const MAILS = Number(values.mails);
const SUBSCRIBERS = 1_000;
const say = (text) => process.stdout.write(`${text}\n`);

const service = await startService();
const commands = commandCounter(service.client);
const { EventEmitter2 } = await import('@nestjs/event-emitter');
// The event is published once the message is stored, so counting it costs the store nothing.
let sent = 0;
const seen = new Map();
service.app.get(EventEmitter2).on('MessageSent', ({ origin }) => {
  sent += 1;
  seen.set(origin.transactionId, performance.now());
});
say(`store: ${service.description}`);

async function createWorkflow(name, template) {
  const [group] = await service.api('GET', '/v1/notification-groups');
  const workflow = await service.api('POST', '/v1/workflows', {
    name,
    notificationGroupId: group._id,
    active: true,
    steps: [{ template }],
  });
  return workflow.triggers[0].identifier;
}

async function createSubscribers(prefix, count) {
  for (let from = 0; from < count; from += 500) {
    const subscribers = Array.from({ length: Math.min(500, count - from) }, (_, n) => ({
      subscriberId: `${prefix}${from + n}`,
      email: `${prefix}${from + n}@example.com`,
      firstName: 'Ann',
    }));
    await service.api('POST', '/v1/subscribers/bulk', { subscribers });
  }
}

/** Waits for messages and says how it went. */
async function measure(label, count, begin) {
  commands.reset();
  const before = sent;
  const cpu = process.cpuUsage();
  const started = performance.now();
  const answers = await begin();
  const accepted = performance.now();
  await until(() => sent >= before + count, 2);
  const seconds = (performance.now() - started) / 1_000;
  const rate = count / seconds;
  const { user, system } = process.cpuUsage(cpu);
  const perNotification = commands.total() / count;
  const latency = answers?.latencies
    ? `, request p50 ${percentile(answers.latencies, 50).toFixed(1)} ms p99 ${percentile(answers.latencies, 99).toFixed(1)} ms`
    : '';
  say(
    `${label}: ${rate.toFixed(0)}/s (${count} in ${seconds.toFixed(2)} s, accepted after ` +
      `${((accepted - started) / 1_000).toFixed(2)} s), ${perNotification.toFixed(2)} commands and ${((user + system) / count).toFixed(0)} us of CPU each${latency}`,
  );
  if (answers?.failures) say(`  ${answers.failures} requests failed`);
  if (process.env.BENCH_COMMANDS)
    say(
      commands
        .list()
        .map(([name, n]) => `    ${name}: ${n}`)
        .join('\n'),
    );
  return rate;
}

const inApp = await createWorkflow('Bench in app', {
  type: 'in_app',
  content: 'Hello {{subscriber.firstName}}, {{n}}',
});
await createSubscribers('s', SUBSCRIBERS);
const event = (n, name = inApp) => ({ name, to: `s${n % SUBSCRIBERS}`, payload: { n } });
const http = { url: service.url, apiKey: service.apiKey };

// Warm-up: compiled code, caches, connections.
const bulks = (count) =>
  Array.from({ length: count / 100 }, (_, b) => ({
    events: Array.from({ length: 100 }, (_e, n) => event(b * 100 + n)),
  }));
await measure('warm-up', 3_000, () =>
  load({ ...http, path: '/v1/events/trigger/bulk', bodies: bulks(3_000), concurrency: 4 }),
);

const rates = {};
rates.bulk = await measure('in-app, bulk of 100', COUNT, () =>
  load({ ...http, path: '/v1/events/trigger/bulk', bodies: bulks(COUNT), concurrency: 4 }),
);
rates.single = await measure('in-app, single triggers, 32 at once', COUNT / 4, () =>
  load({
    ...http,
    path: '/v1/events/trigger',
    bodies: Array.from({ length: COUNT / 4 }, (_, n) => event(n)),
    concurrency: 32,
  }),
);
await createSubscribers('b', COUNT - SUBSCRIBERS);
rates.broadcast = await measure('in-app, broadcast', COUNT, () =>
  service.api('POST', '/v1/events/trigger/broadcast', { name: inApp, payload: { n: 1 } }),
);
say(`resident memory: ${(process.memoryUsage().rss / 1_048_576).toFixed(0)} MB`);

// The bare loop: what a service without an engine would write, an event, a message, a notification and its five details,
// into collections with the same indexes, one insert for each 250 of each kind.
async function bareLoop(count) {
  const run = await service.db.collection('notifications').findOne({});
  const samples = {
    triggerEvents: await service.db.collection('triggerEvents').findOne({}),
    messages: await service.db.collection('messages').findOne({}),
    executionDetails: detailsOf(run),
    notifications: run,
  };
  delete samples.notifications.trail;
  const collections = [];
  for (const [name, sample] of Object.entries(samples)) {
    const target = service.db.collection(`bare_${name}`);
    for (const { key, name: index, unique, partialFilterExpression } of await service.db.collection(name).indexes()) {
      if (index === '_id_') continue;
      await target.createIndex(key, {
        name: index,
        ...(unique && { unique }),
        ...(partialFilterExpression && { partialFilterExpression }),
      });
    }
    collections.push({ target, sample });
  }
  const { ObjectId } = await import('bson');
  const started = performance.now();
  for (let from = 0; from < count; from += 250) {
    const size = Math.min(250, count - from);
    for (const { target, sample } of collections) {
      const rows = Array.from({ length: size }, (_, n) => ({
        ...sample,
        _id: new ObjectId(),
        transactionId: `t${from + n}`,
      }));
      await target.insertMany(rows, { ordered: false });
    }
  }
  return count / ((performance.now() - started) / 1_000);
}
function detailsOf({ _id, _organizationId, _environmentId, _templateId, _subscriberId, steps, expireAt, createdAt }) {
  const entry = {
    _jobId: steps[0]._id,
    channel: 'in_app',
    detail: 'Start sending message',
    source: 'Internal',
    status: 'Pending',
    createdAt,
  };
  return {
    _organizationId,
    _environmentId,
    _notificationId: _id,
    _notificationTemplateId: _templateId,
    _subscriberId,
    entries: Array.from({ length: 5 }, () => ({ _id, ...entry })),
    deleted: false,
    createdAt,
    updatedAt: createdAt,
    expireAt,
  };
}

const bare = await bareLoop(COUNT);
say(
  `bare loop, the same inserts: ${bare.toFixed(0)}/s; ratio bulk ${(rates.bulk / bare).toFixed(2)}, single ${(rates.single / bare).toFixed(2)}, broadcast ${(rates.broadcast / bare).toFixed(2)}`,
);

// Idle: one trigger at a time; from the request, and from its answer, until the message is in the store.
const fromRequest = [];
const fromAnswer = [];
for (let n = 0; n < 300; n += 1) {
  const started = performance.now();
  const { transactionId } = await service.api('POST', '/v1/events/trigger', event(n));
  const answered = performance.now();
  await until(() => seen.has(transactionId), 1, 10_000);
  fromRequest.push(seen.get(transactionId) - started);
  fromAnswer.push(Math.max(0, seen.get(transactionId) - answered));
  await new Promise((resolve) => setTimeout(resolve, 20));
}
const shown = (list) => `median ${percentile(list, 50).toFixed(2)} ms, p99 ${percentile(list, 99).toFixed(2)} ms`;
say(`idle, from the request to the stored message: ${shown(fromRequest)}`);
say(`idle, from the answer to the stored message: ${shown(fromAnswer)}`);

// Mail through a real SMTP server in another process.
if (MAILS > 0) {
  const smtp = fork(new URL('./support/smtp-server.mjs', import.meta.url));
  const port = await new Promise((resolve) => smtp.once('message', ({ port: on }) => resolve(on)));
  await service.api('POST', '/v1/integrations', {
    providerId: 'nodemailer',
    channel: 'email',
    active: true,
    check: false,
    credentials: {
      host: '127.0.0.1',
      port: String(port),
      user: 'user',
      password: 'password',
      from: 'sender@example.com',
      senderName: 'Sender',
      ignoreTls: true,
    },
  });
  const mail = await createWorkflow('Bench mail', {
    type: 'email',
    subject: 'Number {{n}}',
    contentType: 'customHtml',
    content: '<p>Hello {{subscriber.firstName}}</p>',
  });
  const mails = Array.from({ length: MAILS / 100 }, (_, b) => ({
    events: Array.from({ length: 100 }, (_e, n) => event(b * 100 + n, mail)),
  }));
  await measure('mail by SMTP, bulk of 100', MAILS, () =>
    load({ ...http, path: '/v1/events/trigger/bulk', bodies: mails, concurrency: 4 }),
  );
  smtp.kill();
}
await service.close();
