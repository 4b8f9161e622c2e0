// How lists, feeds and counts bear the size of their collections:
//   node bench/lists.mjs [--small=1000] [--large=200000] [--million] [--rounds=60]
// Two services run side by side on stores of their own, one with few and one with many subscribers, messages and
// notifications of one environment. Each question is put to both in turns, so that a busy machine slows both alike. What
// counts is the ratio of the medians; the run fails where one reaches 2. Build first.
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import mongoose from 'mongoose';
import { percentile, startService, until } from './support/service.mjs';

const { values: options } = parseArgs({
  options: {
    small: { type: 'string', default: '1000' },
    large: { type: 'string', default: '200000' },
    million: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '60' },
  },
});
const ROUNDS = Number(options.rounds);
const LIMIT = 2;
const BATCH = 2_000;
/** Messages of one subscriber. */
const INBOX = 20;
const TARGET = 'target';
const { ObjectId } = mongoose.mongo;

const payload = (value) => Buffer.from(JSON.stringify(value)).toString('base64');

const QUESTIONS = {
  'subscribers: list': '/v1/subscribers?limit=10',
  'subscribers: page 5': '/v1/subscribers?limit=10&page=5',
  'subscribers: by email': '/v1/subscribers?email=subscriber-7@example.com',
  'subscribers: by the beginning of the id': '/v1/subscribers?subscriberId=subscriber-77',
  'subscribers: one': `/v1/subscribers/${TARGET}`,
  'messages: list': '/v1/messages?limit=10',
  'messages: list of a channel': '/v1/messages?channel=in_app',
  'messages: of a channel without any': '/v1/messages?channel=push',
  'messages: of a subscriber': `/v1/messages?subscriberId=${TARGET}`,
  'messages: of a transaction': '/v1/messages?transactionId=transaction-77',
  'feed: first page': `/v1/subscribers/${TARGET}/notifications/feed`,
  'feed: by payload': `/v1/subscribers/${TARGET}/notifications/feed?payload=${payload({ name: 'Ann' })}`,
  'feed: unread': `/v1/subscribers/${TARGET}/notifications/feed?read=false`,
  'count: unseen': `/v1/subscribers/${TARGET}/notifications/unseen`,
  'count: seen': `/v1/subscribers/${TARGET}/notifications/unseen?seen=true`,
  'preferences of a subscriber': `/v1/subscribers/${TARGET}/preferences`,
  'notifications: list': '/v1/notifications?limit=10',
  'notifications: of a subscriber': `/v1/notifications?subscriberIds=${TARGET}`,
  'notifications: of a transaction': '/v1/notifications?transactionId=transaction-77',
  'notifications: of a channel': '/v1/notifications?channels=in_app',
  'notifications: of a channel without any': '/v1/notifications?channels=email',
  'notifications: search': '/v1/notifications?search=subscriber-7',
  'notifications: stats': '/v1/notifications/stats',
  'notifications: graph': '/v1/notifications/graph/stats',
};

/** A service in which one subscriber has a message that really was delivered: the pattern for all the others. */
async function startWithPattern() {
  const service = await startService();
  const [group] = await service.api('GET', '/v1/notification-groups');
  await service.api('POST', '/v1/workflows', {
    name: 'Hello',
    notificationGroupId: group._id,
    active: true,
    steps: [{ template: { type: 'in_app', content: 'Hello {{name}}' } }],
  });
  await service.api('POST', '/v1/subscribers', { subscriberId: TARGET, firstName: 'Ann', email: 'ann@example.com' });
  await service.api('POST', '/v1/events/trigger', { name: 'hello', to: TARGET, payload: { name: 'Ann' } });
  await until(async () => (await service.db.collection('notifications').findOne({ status: 'completed' })) !== null);
  return service;
}

/** Fills the collections up to `size` messages, notifications and subscribers each. */
async function fill({ db }, size) {
  const [subscriber, message, notification] = await Promise.all(
    ['subscribers', 'messages', 'notifications'].map((name) => db.collection(name).findOne({})),
  );
  const owners = Array.from({ length: size }, () => new ObjectId());
  const start = Date.now() - size * 1_000;
  const ownerOf = (i) => (i < INBOX ? subscriber._id : owners[Math.floor(i / INBOX)]);
  await insert(db, 'subscribers', size, (i) => ({
    ...subscriber,
    _id: owners[i],
    subscriberId: `subscriber-${i}`,
    email: `subscriber-${i}@example.com`,
    search: { ...subscriber.search, email: `subscriber-${i}@example.com`, firstName: `name ${i}` },
  }));
  await insert(db, 'messages', size, (i) => ({
    ...message,
    _id: new ObjectId(),
    _subscriberId: ownerOf(i),
    transactionId: `transaction-${i}`,
    seen: i % 2 === 0,
    createdAt: new Date(start + i * 1_000),
  }));
  await insert(db, 'notifications', size, (i) => {
    const at = new Date(start + i * 1_000);
    return {
      ...notification,
      _id: new ObjectId(),
      _eventId: new ObjectId(),
      _subscriberId: ownerOf(i),
      subscriberId: i < INBOX ? TARGET : `subscriber-${Math.floor(i / INBOX)}`,
      transactionId: `transaction-${i}`,
      createdAt: at,
    };
  });
}

async function insert(db, collection, size, make) {
  for (let from = 0; from < size; from += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, size - from) }, (_, i) => make(from + i));
    await db.collection(collection).insertMany(rows, { ordered: false });
  }
}

async function ask({ url, apiKey }, path) {
  const started = performance.now();
  const answer = await fetch(url + path, { headers: { authorization: `ApiKey ${apiKey}` } });
  const { data } = await answer.json();
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return { ms: performance.now() - started, rows: Array.isArray(data) ? data.length : (data.count ?? 1) };
}

/** Puts one question to both in turns, so that both feel the same machine. */
async function compare(small, large, path) {
  const times = { small: [], large: [] };
  const rows = {};
  for (let round = 0; round < ROUNDS + 5; round += 1) {
    for (const [name, service] of Object.entries({ small, large })) {
      const answer = await ask(service, path);
      rows[name] = answer.rows;
      // The first rounds warm up connections, caches and the compiler.
      if (round >= 5) times[name].push(answer.ms);
    }
  }
  return { small: percentile(times.small, 50), large: percentile(times.large, 50), rows };
}

const sizes = { small: Number(options.small), large: options.million ? 1_000_000 : Number(options.large) };
const services = [];
try {
  for (const size of Object.values(sizes)) {
    const service = await startWithPattern();
    services.push(service);
    const started = performance.now();
    await fill(service, size);
    console.log(`${size.toLocaleString('en')} of each in ${Math.round(performance.now() - started)} ms`);
  }
  const [small, large] = services;
  console.log(`store: ${large.description}; ${ROUNDS} rounds; median in ms\n`);
  let worst = 0;
  for (const [name, path] of Object.entries(QUESTIONS)) {
    const result = await compare(small, large, path);
    const ratio = result.large / result.small;
    worst = Math.max(worst, ratio);
    const [few, many] = [result.small, result.large].map((ms) => ms.toFixed(2).padStart(8));
    const rows = `${result.rows.small}/${result.rows.large} rows`;
    console.log(
      `${name.padEnd(42)}${few}${many}  ${ratio.toFixed(2).padStart(6)}  ${rows}${ratio >= LIMIT ? '  TOO SLOW' : ''}`,
    );
  }
  console.log(`\nworst ratio ${worst.toFixed(2)}, allowed below ${LIMIT}`);
  if (worst >= LIMIT) process.exitCode = 1;
} finally {
  for (const service of services) await service.close();
}
