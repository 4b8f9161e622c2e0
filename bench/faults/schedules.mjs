// Schedules that occur while faults come: single ones, of which each is an event of the ledger, and some for every minute.
import { inApp } from '../support/content.mjs';
import { SUBSCRIBERS, TOPIC } from './load.mjs';

/** Numbers of events that clients do not reach. */
const FIRST_NUMBER = 1_000_000;
const SINGLE = 120;
/** Until all of them are made. */
const AHEAD_MS = 8_000;
const MINUTE_MS = 60_000;
/** A worker has had time to come to what was due before. */
const LATE_MS = 15_000;
const ZONES = ['UTC', 'Asia/Kolkata', 'Australia/Lord_Howe'];

/** @returns the events, and the schedules for every minute */
export async function prepareSchedules(call, { workflow, seconds, random }) {
  const begin = Date.now() + AHEAD_MS;
  const scheduled = [];
  for (let place = 0; place < SINGLE; place += 1) {
    const n = FIRST_NUMBER + place;
    const to = [SUBSCRIBERS[Math.floor(random() * SUBSCRIBERS.length)]];
    const sentAt = begin + Math.round((place / SINGLE) * seconds * 1_000);
    const startAt = new Date(sentAt).toISOString();
    const { _id } = await call('POST', '/v1/schedules', { workflow, subscribers: to, payload: { n }, startAt });
    scheduled.push({ n, kind: 'schedule', to, transactionId: `schedule:${_id}:${startAt}`, sentAt, cancel: undefined });
  }
  const [group] = await call('GET', '/v1/notification-groups');
  const steps = [inApp('{{subscriber.subscriberId}}')];
  const made = { name: 'Every minute', notificationGroupId: group._id, active: true, steps };
  const { identifier } = (await call('POST', '/v1/workflows', made)).triggers[0];
  const everyMinute = [];
  for (const timezone of ZONES) {
    const rule = { cron: '* * * * *' };
    everyMinute.push(await call('POST', '/v1/schedules', { workflow: identifier, topics: [TOPIC], rule, timezone }));
  }
  return { scheduled, everyMinute };
}

/** Ends those for every minute. @returns when */
export async function pauseSchedules(call, schedules) {
  const at = Date.now();
  for (const { _id } of schedules) await call('POST', `/v1/schedules/${_id}/pause`, {});
  return at;
}

/** Each minute has its event, and each event a notification of each member of the topic. @returns what is wrong */
export async function contradictionsOfSchedules(db, schedules, pausedAt) {
  const found = [];
  for (const { _id, next } of schedules) {
    const idOf = (minute) => `schedule:${_id}:${new Date(minute).toISOString()}`;
    const ofIt = { transactionId: { $regex: `^schedule:${_id}:` } };
    const events = new Set((await db.collection('triggerEvents').find(ofIt).toArray()).map((row) => row.transactionId));
    const first = Date.parse(next.at);
    for (let minute = first; minute < pausedAt - LATE_MS; minute += MINUTE_MS) {
      if (!events.has(idOf(minute))) found.push(`${idOf(minute)} is lost`);
    }
    for (const transactionId of events) {
      const minute = Date.parse(transactionId.split(':').slice(2).join(':'));
      if ((minute - first) % MINUTE_MS !== 0 || minute > Date.now()) found.push(`${transactionId} should not be`);
      const count = await db.collection('messages').countDocuments({ transactionId });
      if (count !== SUBSCRIBERS.length) found.push(`${transactionId} has ${count} messages`);
    }
  }
  return found;
}
