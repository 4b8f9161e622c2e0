// Very many notifications in a store, each derived from its number: a fill that was stopped goes on where it was, and what was half
// written is written again without duplicates.
import mongoose from 'mongoose';
import { createWorkflow, inApp } from './content.mjs';
import { until } from './processes.mjs';

const { ObjectId } = mongoose.mongo;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Days over which the notifications were created. */
const DAYS = 30;
/** Nothing expires on the day of the fill, and what was created on one day expires on one day. */
const KEPT_DAYS = DAYS + 1;
const KEPT_MS = KEPT_DAYS * DAY_MS;
/** Notifications of one subscriber, and of one event. */
const INBOX = 10;
const PIECE = 1_000;
/** Writes of several pieces share a transaction of the store. */
const IN_FLIGHT = 8;
/** After so many pieces it says how far it has come. */
const SAID = 500;
/** Delayed runs are due long after any measurement. */
const DELAYED_MS = 90 * DAY_MS;
export const TARGET = 'target';
const PROGRESS = 'benchFill';
const DUPLICATE = 11_000;

/** Share of each kind in a thousand; all others are completed. */
const STATUSES = [
  ['active', 5],
  ['failed', 20],
  ['canceled', 5],
];
/** The channel of each workflow. */
const CHANNELS = ['in_app', 'in_app', 'in_app', 'email', 'sms'];

/** Notifications that really were delivered, or wait: the pattern for all the others. Kept in the store. */
export async function preparePattern(herald, db) {
  const progress = db.collection(PROGRESS);
  const known = await progress.findOne({ _id: 'pattern' });
  if (known !== null) return known;
  const names = [];
  for (const [n] of CHANNELS.entries())
    names.push(await createWorkflow(herald, `Hello ${n}`, [inApp('Hello {{name}}, your order is on its way.')]));
  const delay = { template: { type: 'delay', content: '' }, metadata: { type: 'regular', amount: 90, unit: 'days' } };
  const later = await createWorkflow(herald, 'Later', [delay, inApp('Hello {{name}}')]);
  const profile = { firstName: 'Ann', lastName: 'Lee', email: 'ann@example.com' };
  await herald.call('POST', '/v1/subscribers', { subscriberId: TARGET, ...profile });
  for (const name of [names[0], later])
    await herald.call('POST', '/v1/events/trigger', { name, to: TARGET, payload: { name: 'Ann', order: '4711' } });
  const delayed = { status: 'active', wakeAt: { $exists: true }, lease: { $exists: false } };
  const isThere = async (collection, filter) => (await db.collection(collection).findOne(filter)) !== null;
  await until(() => isThere('notifications', { status: 'completed' }), { what: 'a notification' });
  await until(() => isThere('notifications', delayed), { what: 'a delayed notification' });
  await until(async () => !(await isThere('triggerEvents', { status: 'expanding' })), { what: 'the events' });
  const completed = await db.collection('notifications').findOne({ status: 'completed' });
  const pattern = {
    _id: 'pattern',
    endMs: Date.now(),
    templates: await db
      .collection('workflows')
      .find({ identifier: /^hello/ })
      .sort({ _id: 1 })
      .toArray(),
    subscriber: await db.collection('subscribers').findOne({ subscriberId: TARGET }),
    event: await db.collection('triggerEvents').findOne({ _id: completed._eventId }),
    message: await db.collection('messages').findOne({}),
    completed,
    delayed: await db.collection('notifications').findOne(delayed),
  };
  await progress.insertOne(pattern);
  return pattern;
}

/**
 * Fills the store up to `size` notifications, with a subscriber and an event for every tenth of them.
 * @returns how many were written now, and in how many seconds
 */
export async function fill(db, pattern, size, say = () => undefined) {
  const progress = db.collection(PROGRESS);
  const done = new Set((await piecesOf(progress)).map(({ n }) => n));
  const pieces = Array.from({ length: Math.ceil(size / PIECE) }, (_, n) => n).filter((n) => !done.has(n));
  const records = new Records(pattern, size);
  const began = performance.now();
  const total = pieces.length;
  let written = 0;
  const work = async () => {
    for (let n = pieces.shift(); n !== undefined; n = pieces.shift()) {
      await writePiece(db, records, n * PIECE, Math.min(size, (n + 1) * PIECE));
      await progress.updateOne({ _id: `piece ${n}` }, { $set: { n } }, { upsert: true });
      written += 1;
      if (written % SAID === 0) say(`${written} of ${total} pieces after ${Math.round(secondsSince(began))} s`);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
  await writeTallies(db, records, size);
  return { written: Math.min(size, written * PIECE), seconds: secondsSince(began) };
}

/** When what was created on the first day has expired. */
export const endOfFirstDay = ({ endMs }) => new Date(endMs + (KEPT_DAYS - DAYS + 1) * DAY_MS);

/** The notifications of the first day are written again by the next fill. */
export async function forgetFirstDay(db, size) {
  await db.collection(PROGRESS).deleteMany({ n: { $lte: Math.ceil(size / DAYS / PIECE) } });
}

const secondsSince = (began) => (performance.now() - began) / 1_000;

const piecesOf = (progress) => progress.find({ n: { $exists: true } }, { projection: { n: 1 } }).toArray();

async function writePiece(db, records, from, to) {
  const rows = { subscribers: [], triggerEvents: [], notifications: [], messages: [] };
  for (let n = from; n < to; n += 1) {
    if (n % INBOX === 0) {
      if (n > 0) rows.subscribers.push(records.subscriber(n / INBOX));
      rows.triggerEvents.push(records.event(n / INBOX));
    }
    const notification = records.notification(n);
    rows.notifications.push(notification);
    if (notification.status !== 'active') rows.messages.push(records.message(n, notification));
  }
  await Promise.all(Object.entries(rows).map(([name, all]) => insert(db.collection(name), all)));
}

/** What was stored before a stop is stored once. */
async function insert(collection, rows) {
  try {
    await collection.insertMany(rows, { ordered: false });
  } catch (error) {
    const errors = [error.writeErrors ?? []].flat();
    if (errors.length === 0 || errors.some(({ code }) => code !== DUPLICATE)) throw error;
  }
}

/**
 * What Herald would have counted meanwhile: in the background that takes a tenth of the time, so very many hours take hours, and the
 * measurements would not be alike.
 */
async function writeTallies(db, records, size) {
  const { _environmentId, _organizationId } = records.pattern.completed;
  const hours = new Map();
  for (let n = 0; n < size; n += 1) records.count(hours, n);
  const owner = { _environmentId, _organizationId };
  const countedAt = new Date();
  const expireAt = new Date(countedAt.getTime() + 40 * DAY_MS);
  const days = new Map();
  for (const [at, workflows] of hours) {
    const day = Math.floor(at / DAY_MS) * DAY_MS;
    if (!days.has(day)) days.set(day, new Map());
    for (const [kind, counts] of workflows) {
      const sum = days.get(day).get(kind) ?? { runs: 0, failed: 0, sent: 0, read: 0 };
      for (const name of Object.keys(sum)) sum[name] += counts[name];
      days.get(day).set(kind, sum);
    }
  }
  const tallies = db.collection('activityTallies');
  await tallies.deleteMany(owner);
  for (const [unit, all] of Object.entries({ hour: hours, day: days })) {
    const rows = [...all].map(([at, workflows]) => {
      return { ...owner, unit, at: new Date(at), countedAt, expireAt, ...records.tallyOf(workflows) };
    });
    await tallies.insertMany(rows);
  }
  const countedTo = new Date(Math.max(...hours.keys()) + HOUR_MS);
  const $set = { ...owner, countedTo, readTo: countedAt, activeAt: countedAt, wakeAt: countedAt };
  await db
    .collection('activityTallyWork')
    .updateOne({ _id: _environmentId }, { $set, $unset: { lease: 1 } }, { upsert: true });
}

const KIND = { subscriber: 1, event: 2, notification: 3, message: 4, step: 5 };

/** Spreads consecutive numbers evenly, so that no subscriber has only notifications of one kind. */
const spread = (n) => {
  let mixed = Math.imul(n + 1, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) >>> 0;
};

/** All notifications of an event are of one workflow. */
const kindOf = (n) => spread(Math.floor(n / INBOX)) % CHANNELS.length;
const isSeen = (channel, n) => channel === 'in_app' && n % 2 === 0;

function statusOf(n) {
  let rest = spread(n) % 1_000;
  for (const [status, share] of STATUSES) {
    if (rest < share) return status;
    rest -= share;
  }
  return 'completed';
}

class Records {
  constructor(pattern, size) {
    this.pattern = pattern;
    this.subscribers = Math.ceil(size / INBOX);
    this.startMs = pattern.endMs - DAYS * DAY_MS;
    this.stepMs = (DAYS * DAY_MS) / size;
  }

  /** Adds a notification to the counts of its hour, by the kind of its workflow. */
  count(hours, n) {
    const status = statusOf(n);
    if (status === 'active') return;
    const hour = Math.floor((this.startMs + n * this.stepMs) / HOUR_MS) * HOUR_MS;
    if (!hours.has(hour)) hours.set(hour, new Map());
    const kind = kindOf(n);
    const counts = hours.get(hour).get(kind) ?? { runs: 0, failed: 0, sent: 0, read: 0 };
    hours.get(hour).set(kind, counts);
    counts.runs += 1;
    if (status === 'failed') counts.failed += 1;
    else counts.sent += 1;
    if (status !== 'failed' && isSeen(CHANNELS[kind], n)) counts.read += 1;
  }

  tallyOf(workflows) {
    const rows = [...workflows].map(([kind, counts]) => {
      return { ...counts, _templateId: this.pattern.templates[kind]._id, channel: CHANNELS[kind] };
    });
    return {
      channels: rows.map(({ _templateId, channel, sent, read, failed }) => {
        const delivered = channel === 'in_app' ? sent : 0;
        return { _templateId, channel, sent, delivered, read, bounced: 0, failed, skipped: 0 };
      }),
      workflows: rows.map(({ _templateId, channel, runs, failed }) => {
        return { _templateId, runs, failed, times: [0, 0, runs - failed], kinds: { [channel]: runs } };
      }),
    };
  }

  at(n, laterMs = 0) {
    return new Date(this.startMs + Math.floor(n * this.stepMs) + laterMs);
  }

  /** Like the ids of runs and messages: they begin with the time. */
  id(kind, n, atMs) {
    const bytes = Buffer.alloc(12);
    bytes.writeUInt32BE(Math.floor(atMs / 1_000));
    bytes[4] = KIND[kind];
    bytes.writeUIntBE(n, 6, 6);
    return new ObjectId(bytes);
  }

  /** The subscribers have their notifications in turns, so each has some of the whole time. */
  owner(n) {
    const s = n % this.subscribers;
    return s === 0
      ? { _subscriberId: this.pattern.subscriber._id, subscriberId: TARGET }
      : { _subscriberId: this.id('subscriber', s, this.startMs), subscriberId: `subscriber-${s}` };
  }

  subscriber(s) {
    const { subscriber } = this.pattern;
    const [email, firstName, lastName] = [`subscriber-${s}@example.com`, `Name ${s}`, `Family ${spread(s)}`];
    const since = this.at(s * INBOX);
    return {
      ...subscriber,
      _id: this.id('subscriber', s, this.startMs),
      subscriberId: `subscriber-${s}`,
      email,
      firstName,
      lastName,
      ...(s % 10 === 0 && { phone: `+49151${String(s).padStart(8, '0')}` }),
      search: { email, firstName: firstName.toLowerCase(), lastName: lastName.toLowerCase() },
      ...(s % 200 === 7 && {
        addressStates: { email: { address: email, reason: '550 no mailbox', since, kind: 'bounce' } },
      }),
      createdAt: since,
      updatedAt: since,
    };
  }

  event(e) {
    const { event, templates } = this.pattern;
    const createdAt = this.at(e * INBOX);
    const { _id, identifier } = templates[spread(e) % templates.length];
    return {
      ...event,
      _id: this.id('event', e, createdAt.getTime()),
      _templateId: _id,
      snapshotId: `${_id.toHexString()}:0`,
      name: identifier,
      transactionId: transactionId(e),
      expanded: INBOX,
      createdAt,
      updatedAt: createdAt,
      expireAt: new Date(createdAt.getTime() + KEPT_MS),
    };
  }

  notification(n) {
    const e = Math.floor(n / INBOX);
    const status = statusOf(n);
    const createdAt = this.at(n);
    const atMs = createdAt.getTime();
    const kind = kindOf(n);
    const type = CHANNELS[kind];
    const base = {
      _id: this.id('notification', n, atMs),
      _eventId: this.id('event', e, this.at(e * INBOX).getTime()),
      ...this.owner(n),
      transactionId: transactionId(e),
      createdAt,
    };
    const stepId = this.id('step', n, atMs);
    if (status === 'active') {
      const wakeAt = new Date(atMs + DELAYED_MS);
      const { delayed } = this.pattern;
      const [delay, next] = delayed.steps;
      const steps = [
        { ...delay, _id: stepId, startedAt: createdAt, dueAt: wakeAt },
        { ...next, _id: this.id('step', n, atMs + 1_000) },
      ];
      return { ...delayed, ...base, steps, wakeAt, dueSince: wakeAt, updatedAt: createdAt };
    }
    const { completed, templates } = this.pattern;
    const finishedAt = this.at(n, 20);
    const step = { ...completed.steps[0], _id: stepId, type, startedAt: createdAt, finishedAt };
    const failure = { status: 'failed', error: '550 no mailbox', ...(n % 4 === 0 && { deadLetter: true }) };
    return {
      ...completed,
      ...base,
      _templateId: templates[kind]._id,
      channels: [type],
      status,
      steps: [status === 'failed' ? { ...step, ...failure } : status === 'canceled' ? { ...step, status } : step],
      updatedAt: finishedAt,
      expireAt: new Date(atMs + KEPT_MS),
    };
  }

  message(
    n,
    { _id, _templateId, _subscriberId, transactionId: transaction, createdAt, steps, channels, status, expireAt },
  ) {
    const { message, templates } = this.pattern;
    const [channel] = channels;
    const seenAt = this.at(n, 3_600_000);
    return {
      ...message,
      _id: this.id('message', n, createdAt.getTime()),
      _notificationId: _id,
      _jobId: steps[0]._id,
      _templateId,
      templateIdentifier: templates.find((one) => one._id.equals(_templateId)).identifier,
      _subscriberId,
      transactionId: transaction,
      channel,
      ...(channel === 'email' && { email: 'someone@example.com', subject: 'Your order', providerId: 'nodemailer' }),
      ...(channel === 'sms' && { phone: '+4915112345678', providerId: 'twilio' }),
      ...(status === 'failed' && { status: 'error', errorId: 'provider_error', errorText: '550 no mailbox' }),
      ...(isSeen(channel, n) && { seen: true, read: true, lastSeenDate: seenAt, lastReadDate: seenAt }),
      createdAt,
      updatedAt: createdAt,
      expireAt,
    };
  }
}

/** Ascending, as generated ones are. */
export const transactionId = (e) => `01a21f42-7cc1-7bdb-a376-${String(e).padStart(12, '0')}`;
