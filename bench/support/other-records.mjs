// What an environment has besides notifications, subscribers and events: a hundredth of their number, or less. Made through the API once
// and repeated, with ids derived from their numbers, so that it can be written again.
import mongoose from 'mongoose';
import { until } from './processes.mjs';
import { TARGET } from './many-records.mjs';

const { ObjectId } = mongoose.mongo;
const BATCH = 1_000;
const DAY_MS = 86_400_000;
const PROGRESS = 'benchFill';
/** Each record stands for so many notifications. */
const SHARES = {
  auditEntries: 100,
  webhookDeliveries: 100,
  topicSubscribers: 100,
  refusedTriggers: 1_000,
  suppressedAddresses: 1_000,
  schedules: 1_000,
  notificationReplays: 10_000,
};

/** @returns names for the questions: ids and keys of what was made */
export async function addOthers({ call }, db, { endMs, completed, message }, size) {
  const progress = db.collection(PROGRESS);
  const known = await progress.findOne({ _id: 'others' });
  if (known !== null) return known.names;
  const { patterns, names } = await makePatterns({ call }, db, { completed, message });
  for (const [name, share] of Object.entries(SHARES)) {
    const rows = (from, to) =>
      Array.from({ length: to - from }, (_, i) => VARIED[name](patterns[name], rowOf(from + i, size / share, endMs)));
    await repeat(db.collection(name), rows, size / share);
  }
  await progress.insertOne({ _id: 'others', names });
  return names;
}

async function repeat(collection, rows, count) {
  for (let from = 1; from < count; from += BATCH) {
    const some = rows(from, Math.min(count, from + BATCH));
    const operations = some.map((row) => ({
      replaceOne: { filter: { _id: row._id }, replacement: row, upsert: true },
    }));
    await collection.bulkWrite(operations, { ordered: false });
  }
}

/** Spread over the days before the end; later times lie beyond any measurement. */
function rowOf(n, count, endMs) {
  const at = new Date(endMs - Math.floor(((count - n) / count) * 30 * DAY_MS));
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32BE(Math.floor(at.getTime() / 1_000));
  bytes[4] = 9;
  bytes.writeUIntBE(n, 6, 6);
  return { n, at, later: new Date(endMs + 90 * DAY_MS + n * 1_000), _id: new ObjectId(bytes) };
}

const VARIED = {
  auditEntries: (pattern, { n, at, _id }) => ({
    ...pattern,
    _id,
    resource: { ...pattern.resource, type: n % 3 === 0 ? 'topic' : 'workflow', id: `resource-${n % 5_000}` },
    createdAt: at,
    updatedAt: at,
  }),
  webhookDeliveries: (pattern, { n, at, later, _id }) => ({
    ...pattern,
    _id,
    status: n % 20 === 0 ? 'failed' : 'delivered',
    occurredAt: at,
    createdAt: at,
    updatedAt: at,
    expireAt: later,
  }),
  topicSubscribers: (pattern, { n, _id }) => ({
    ...pattern,
    _id,
    _subscriberId: _id,
    externalSubscriberId: `subscriber-${n}`,
  }),
  refusedTriggers: (pattern, { n, at, later, _id }) => ({
    ...pattern,
    _id,
    transactionId: `refused-${n}`,
    createdAt: at,
    updatedAt: at,
    expireAt: later,
  }),
  suppressedAddresses: (pattern, { n, at, _id }) => {
    const address = `listed-${n}@example.com`;
    return { ...pattern, _id, address, key: address, since: at, createdAt: at, updatedAt: at };
  },
  schedules: (pattern, { n, at, later, _id }) => ({
    ...pattern,
    _id,
    name: `Report ${n}`,
    wakeAt: later,
    dueSince: later,
    createdAt: at,
    updatedAt: at,
  }),
  notificationReplays: (pattern, { at, later, _id }) => ({
    ...pattern,
    _id,
    createdAt: at,
    updatedAt: at,
    expireAt: later,
  }),
};

async function makePatterns({ call }, db, { completed, message }) {
  const first = (name) => db.collection(name).findOne({});
  const url = 'https://example.com/hook';
  const { _id: webhook } = await call('POST', '/v1/webhooks', { url, events: ['message.sent'], active: false });
  for (const key of ['everybody', 'few']) {
    await call('POST', '/v1/topics', { key, name: key });
    await call('POST', `/v1/topics/${key}/subscribers`, { subscribers: [TARGET] });
  }
  await call('POST', '/v1/suppressions', { channel: 'email', address: 'listed@example.com', reason: 'Asked for it' });
  const rule = { frequency: 'monthly' };
  const body = { workflow: 'hello-0', name: 'Report', subscribers: [TARGET], rule };
  const { _id: schedule } = await call('POST', '/v1/schedules', body);
  await call('POST', '/v1/events/trigger', { name: 'unknown', to: TARGET }).catch(() => undefined);
  const filter = { to: '2000-01-01T00:00:00.000Z' };
  const { _id: replay } = await call('POST', '/v1/notifications/replay', { filter });
  await until(async () => (await db.collection('notificationReplays').findOne({}))?.endedAt !== undefined);
  const names = [
    'auditEntries',
    'topicSubscribers',
    'refusedTriggers',
    'suppressedAddresses',
    'schedules',
    'notificationReplays',
  ];
  const found = await Promise.all(names.map(async (name) => [name, await first(name)]));
  const { _environmentId, _organizationId } = completed;
  const webhookDeliveries = {
    _environmentId,
    _organizationId,
    _endpointId: new ObjectId(webhook),
    _messageId: message._id,
    type: 'message.sent',
    data: { messageId: message._id.toHexString() },
    status: 'delivered',
    attempt: 1,
    deleted: false,
    __v: 0,
  };
  return { patterns: { ...Object.fromEntries(found), webhookDeliveries }, names: { webhook, schedule, replay } };
}
