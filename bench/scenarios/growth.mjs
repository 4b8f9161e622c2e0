// How lists, feeds, counts and point reads bear the size of their collections. Two Heralds run side by side on stores of their own, one
// with few and one with many subscribers, messages and notifications of one environment. Each question is put to both in turns.
import mongoose from 'mongoose';
import { createWorkflow, inApp } from '../support/content.mjs';
import { startHerald } from '../support/herald.mjs';
import { until } from '../support/processes.mjs';
import { median } from '../support/statistics.mjs';
import { openStore } from '../support/stores.mjs';

/** A question that takes this many times as long in the large collection is not served by an index. */
const LIMIT = 2;
const WARM_UP_ROUNDS = 5;
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
  'home: figures of a day': '/v1/activity/summary?interval=hour',
  'home: figures of a week': '/v1/activity/summary',
};

export async function run({ settings: { small, large, asks }, say }) {
  const sides = {};
  try {
    for (const [name, size] of Object.entries({ small, large })) {
      sides[name] = await start();
      const started = performance.now();
      await fill(sides[name].store.db('herald'), size);
      say(`${size.toLocaleString('en')} of each in ${Math.round((performance.now() - started) / 1_000)} s`);
    }
    const figures = [];
    for (const [name, path] of Object.entries(QUESTIONS)) {
      const result = await compare(sides, path, asks);
      const ratio = result.large / result.small;
      const reference = { name: `with ${small.toLocaleString('en')}`, value: result.small, ratio };
      const note = ratio >= LIMIT ? 'TOO SLOW' : `${result.rows.small} and ${result.rows.large} rows`;
      figures.push({
        name: `${name}, with ${large.toLocaleString('en')}`,
        unit: 'ms',
        value: result.large,
        reference,
        note,
      });
    }
    const worst = Math.max(...figures.map(({ reference }) => reference.ratio));
    say(`worst ratio ${worst.toFixed(2)}, allowed below ${LIMIT}`);
    return { figures, isGood: worst < LIMIT, store: sides.large.store.kind };
  } finally {
    for (const { herald, store } of Object.values(sides)) {
      await herald.stop();
      await store.close();
    }
  }
}

/** One subscriber with a message that really was delivered: the pattern for all the others. */
async function start() {
  const store = await openStore();
  const herald = await startHerald({ uri: store.uriOf('herald'), settings: { LOG_LEVEL: 'error' } });
  const name = await createWorkflow(herald, 'Hello', [inApp('Hello {{name}}')]);
  await herald.call('POST', '/v1/subscribers', { subscriberId: TARGET, firstName: 'Ann', email: 'ann@example.com' });
  await herald.call('POST', '/v1/events/trigger', { name, to: TARGET, payload: { name: 'Ann' } });
  const isDone = async () => (await herald.call('GET', '/v1/notifications?status=completed')).length > 0;
  await until(isDone, { what: 'a notification' });
  return { herald, store };
}

/** Fills the collections up to `size` messages, notifications and subscribers each. */
async function fill(db, size) {
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

async function ask({ herald: { url, apiKey } }, path) {
  const started = performance.now();
  const answer = await fetch(url + path, { headers: { authorization: `ApiKey ${apiKey}` } });
  const { data } = await answer.json();
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return { ms: performance.now() - started, rows: Array.isArray(data) ? data.length : (data.count ?? 1) };
}

/** Puts one question to both in turns, so that both feel the same machine. */
async function compare(sides, path, asks) {
  const times = { small: [], large: [] };
  const rows = {};
  for (let round = 0; round < asks + WARM_UP_ROUNDS; round += 1) {
    for (const [name, side] of Object.entries(sides)) {
      const answer = await ask(side, path);
      rows[name] = answer.rows;
      if (round >= WARM_UP_ROUNDS) times[name].push(answer.ms);
    }
  }
  return { small: median(times.small), large: median(times.large), rows };
}
