// Records of many delivered notifications, written straight into the store after the pattern of one that was really delivered.
import { randomBytes } from 'node:crypto';
import mongoose from 'mongoose';

const { ObjectId } = mongoose.mongo;
const BATCH = 250;
/** Notifications of one subscriber, on average. */
const INBOX = 20;
const SECOND_MS = 1_000;

/** Reads the pattern: the one delivered notification of a database, with its event, message and subscriber. */
export async function readPattern(db) {
  const names = ['subscribers', 'triggerEvents', 'notifications', 'messages'];
  const [subscriber, event, notification, message] = await Promise.all(
    names.map((name) => db.collection(name).findOne({})),
  );
  return { subscriber, event, notification, message };
}

/**
 * Adds delivered notifications, and a subscriber for every twentieth of them. Each is for a random subscriber.
 * @param from how many there are already
 * @param owners ids of the subscribers so far; grows
 */
export async function addNotifications(db, pattern, { from, to, owners, startMs }) {
  for (let at = from; at < to; at += BATCH) {
    const rows = { subscribers: [], triggerEvents: [], messages: [], notifications: [] };
    for (let n = at; n < Math.min(to, at + BATCH); n += 1) {
      const createdAt = new Date(startMs + n * SECOND_MS);
      if (n % INBOX === 0) rows.subscribers.push(subscriberOf(pattern, owners, n, createdAt));
      addOne(rows, pattern, { createdAt, owner: owners[Math.floor(Math.random() * owners.length)], n });
    }
    await Promise.all(Object.entries(rows).map(([name, all]) => insert(db.collection(name), all)));
  }
}

async function insert(collection, rows) {
  if (rows.length > 0) await collection.insertMany(rows, { ordered: false });
}

function subscriberOf({ subscriber }, owners, n, createdAt) {
  const _id = new ObjectId();
  owners.push(_id);
  const email = `subscriber-${n}@example.com`;
  const search = { ...subscriber.search, email, firstName: `name ${n}` };
  return { ...subscriber, _id, subscriberId: `subscriber-${n}`, email, search, createdAt };
}

function addOne(rows, { event, notification, message }, { createdAt, owner, n }) {
  const [eventId, notificationId, messageId] = [derivedId(createdAt), derivedId(createdAt), derivedId(createdAt)];
  // Ascending, as generated ones are.
  const transactionId = `${createdAt.getTime().toString(16)}-${String(n).padStart(22, '0')}`;
  rows.triggerEvents.push({ ...event, _id: eventId, transactionId, createdAt });
  rows.notifications.push({
    ...notification,
    _id: notificationId,
    _eventId: eventId,
    _subscriberId: owner,
    subscriberId: `subscriber-${n}`,
    transactionId,
    createdAt,
  });
  rows.messages.push({
    ...message,
    _id: messageId,
    _notificationId: notificationId,
    _subscriberId: owner,
    transactionId,
    seen: n % 2 === 0,
    createdAt,
  });
}

/** Like the ids of runs and messages: they begin with the time, and the rest is a hash. */
function derivedId(at) {
  const seconds = Buffer.alloc(4);
  seconds.writeUInt32BE(Math.floor(at.getTime() / SECOND_MS));
  return new ObjectId(Buffer.concat([seconds, randomBytes(8)]));
}
