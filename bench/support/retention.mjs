// What it takes to remove a day's worth of expired records, and how long reads wait meanwhile.
import { setTimeout as sleep } from 'node:timers/promises';
import { QUESTIONS } from './growth-questions.mjs';
import { endOfFirstDay } from './many-records.mjs';
import { percentile } from './statistics.mjs';

const COLLECTIONS = ['notifications', 'messages', 'triggerEvents'];
const READERS = 2;
const SERVED_BEFORE_MS = 20_000;
/** From the start of the store to the first removal: Herald starts, warms up and serves meanwhile. */
const FIRST_SWEEP_MS = 40_000;
const ASKED = [
  'feed: first page',
  'count: unseen',
  'inbox: list',
  'notifications: list',
  'notifications: failed',
  'messages: of a subscriber',
  'subscribers: one',
  'home: figures of a day',
].map((name) => QUESTIONS[name]);

/** @param reopen starts the store, whose clock is so fast that the first day's worth has expired, and a Herald on it */
export async function retire({ pattern, reopen, ask, say }) {
  const end = endOfFirstDay(pattern);
  const started = performance.now();
  const { db } = await reopen({ clockShiftMs: end.getTime() - Date.now(), ttlIntervalMs: FIRST_SWEEP_MS });
  const counts = await Promise.all(COLLECTIONS.map((name) => expired(db, name, end)));
  const number = counts.reduce((sum, count) => sum + count, 0);
  await read(ask, () => sleep(2_000));
  const before = await read(ask, () => sleep(SERVED_BEFORE_MS));
  await sleep(Math.max(0, FIRST_SWEEP_MS - 500 - (performance.now() - started)));
  await untilFewer(db, end, number);
  const began = performance.now();
  const during = await read(ask, () => untilNone(db, end));
  const seconds = (performance.now() - began) / 1_000;
  say(`${number.toLocaleString('en')} expired records removed in ${seconds.toFixed(1)} s`);
  const note = (times) =>
    `p99 ${percentile(times, 99).toFixed(1)} ms, longest ${Math.max(...times).toFixed(0)} ms, ${times.length} reads`;
  return [
    { name: `retention: ${number.toLocaleString('en')} records of a day removed`, unit: 's', value: seconds },
    { name: 'retention: each removed record', unit: 'µs', value: (seconds * 1e6) / number },
    { name: 'retention: reads before it', unit: 'ms', value: percentile(before, 50), note: note(before) },
    { name: 'retention: reads during it', unit: 'ms', value: percentile(during, 50), note: note(during) },
  ];
}

/** Several clients ask one question after the other until `act` ends. @returns the times of their answers */
async function read(ask, act) {
  let isOver = false;
  const times = [];
  const client = async (n) => {
    for (let i = n; !isOver; i += 1) times.push((await ask(ASKED[i % ASKED.length])).ms);
  };
  const clients = Array.from({ length: READERS }, (_, n) => client(n * 3));
  await act().finally(() => (isOver = true));
  await Promise.all(clients);
  return times;
}

const expired = (db, name, end) => db.collection(name).countDocuments({ expireAt: { $lte: end } });
const isLeft = async (db, name, end) =>
  (await db.collection(name).findOne({ expireAt: { $lte: end } }, { projection: { _id: 1 } })) !== null;

async function untilFewer(db, end, number) {
  for (;;) {
    const left = await Promise.all(COLLECTIONS.map((name) => expired(db, name, end)));
    if (left.reduce((sum, count) => sum + count, 0) < number) return;
    await sleep(20);
  }
}

async function untilNone(db, end) {
  for (;;) {
    const left = await Promise.all(COLLECTIONS.map((name) => isLeft(db, name, end)));
    if (!left.includes(true)) return;
    await sleep(20);
  }
}
