// The lower bound: node:http and the driver, without routes, validation, keys or models. Each path makes the same query as
// Herald on documents and indexes copied from Herald's database, and answers with the documents as they are. Without an environment, the
// documents belong to nobody, and have the fields and indexes that these routes need.
//   node bench/baselines/bare.mjs <port> <uri> <subscriber id> [environment id]
import { createServer } from 'node:http';
import mongoose from 'mongoose';

const [port, uri, subscriber, environment] = process.argv.slice(2);
const { MongoClient, ObjectId } = mongoose.mongo;
const client = await new MongoClient(uri, { maxPoolSize: 20 }).connect();
const db = client.db();
const subscribers = db.collection('subscribers');
const messages = db.collection('messages');
const events = db.collection('triggerEvents');
const isTenant = environment !== undefined;
const tenant = isTenant ? { _environmentId: new ObjectId(environment), deleted: false } : {};
const _subscriberId = new ObjectId(subscriber);
const inbox = { ...tenant, _subscriberId, ...(isTenant && { channel: 'in_app' }) };
const [subscriberSample, eventSample] = await Promise.all([subscribers.findOne({}), events.findOne({})]);

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

async function feed() {
  const [data, totalCount] = await Promise.all([
    messages.find(inbox).sort({ createdAt: -1, _id: -1 }).limit(10).toArray(),
    messages.countDocuments(inbox),
  ]);
  return { data, totalCount };
}

async function mark({ messageId, markAs }) {
  const own = { ...tenant, _subscriberId, _id: new ObjectId(messageId) };
  const now = new Date();
  const isRead = markAs === 'read';
  const change = isRead ? { seen: true, read: true, lastSeenDate: now, lastReadDate: now } : { read: false };
  await messages.updateOne({ ...own, read: !isRead }, { $set: { ...change, updatedAt: now } });
  return messages.findOne(own);
}

async function create({ subscriberId, firstName, lastName, email }) {
  const now = new Date();
  const search = isTenant && { email, firstName: firstName.toLowerCase(), lastName: lastName.toLowerCase() };
  const names = { subscriberId, firstName, lastName, email, ...(search && { search }) };
  const row = { ...subscriberSample, ...names, _id: new ObjectId(), createdAt: now, updatedAt: now };
  await subscribers.insertOne(row);
  return row;
}

/** One durable insert of what Herald stores when it accepts an event. */
async function accept({ payload }) {
  const _id = new ObjectId();
  await events.insertOne({ ...eventSample, _id, transactionId: _id.toHexString(), payload, createdAt: new Date() });
  return { acknowledged: true, status: 'processed', transactionId: _id.toHexString() };
}

const ROUTES = {
  'GET /get': async (_request, subscriberId) => ({
    data: await subscribers.findOne({ ...tenant, subscriberId }),
  }),
  'GET /list': async () => ({
    data: await subscribers.find(tenant).sort({ createdAt: -1, _id: -1 }).limit(20).toArray(),
  }),
  'GET /feed': feed,
  'GET /unseen': async () => ({
    data: { count: await messages.countDocuments({ ...inbox, seen: false }, { limit: 100 }) },
  }),
  'POST /mark': async (request) => ({ data: [await mark(await bodyOf(request))] }),
  'POST /create': async (request) => ({ data: await create(await bodyOf(request)) }),
  'POST /trigger': async (request) => ({ data: await accept(await bodyOf(request)) }),
};

createServer((request, response) => {
  const send = (status, value) => {
    const text = JSON.stringify(value);
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
    response.end(text);
  };
  const [, route, key] = request.url.split('/');
  const answer = ROUTES[`${request.method} /${route}`];
  if (answer === undefined) return send(404, {});
  return answer(request, key).then(
    (value) => send(request.method === 'POST' ? 201 : 200, value),
    (error) => send(500, { error: String(error) }),
  );
}).listen(Number(port), '127.0.0.1');
process.once('SIGTERM', () => process.exit());
