// How a store bears its size. Two Heralds run side by side on stores of their own, one with few and one with very many notifications of
// one environment. Each question is put to both in turns; then both deliver, and then a day's worth expires while they are read.
import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { KEPT_ANSWERS, namesOf, pathOf, QUESTIONS } from '../support/growth-questions.mjs';
import { startHerald } from '../support/herald.mjs';
import { fill, forgetFirstDay, preparePattern, TARGET, transactionId } from '../support/many-records.mjs';
import { addOthers } from '../support/other-records.mjs';
import { temporaryFolder } from '../support/processes.mjs';
import { retire } from '../support/retention.mjs';
import { median } from '../support/statistics.mjs';
import { openStore } from '../support/stores.mjs';

/** A question that takes this many times as long in the large store does not bear its size. */
const LIMIT = 1.5;
const WARM_UP_ROUNDS = 5;
/** What seems to be too slow is asked so many times as often once more: other work of the machine must not decide. */
const SECOND_LOOK = 3;
/** Nothing expires by itself during a run. */
const NEVER_MS = 86_400_000;
/** How long the answers that Herald keeps are asked at the end. */
const STILL_ASKED_MS = 130_000;
const EVENTS = 1_000;
const EVENTS_OF_A_CALL = 100;
/** The same for each run, so that a store that was kept can be read again. */
const KEYS = { apiKey: 'b2'.repeat(16), settings: { LOG_LEVEL: 'error', STORE_ENCRYPTION_KEY: 'a1'.repeat(32) } };

export async function run({ settings: { small, large, asks, keep, retention }, say }) {
  const isEmbedded = process.env.MONGODB_URI === undefined;
  const sides = {};
  try {
    const figures = [];
    for (const [name, size] of Object.entries({ small, large })) {
      const folder = name === 'large' && keep !== '' ? keep : isEmbedded ? temporaryFolder() : undefined;
      if (folder !== undefined) mkdirSync(folder, { recursive: true });
      sides[name] = await prepare(folder, size, say, figures);
    }
    const tooSlow = [];
    const add = (name, { small: reference, large: value, note = '' }) => {
      const ratio = value / reference;
      if (ratio >= LIMIT) tooSlow.push(name);
      const label = `with ${small.toLocaleString('en')}`;
      figures.push({
        name: `${name}, with ${large.toLocaleString('en')}`,
        unit: 'ms',
        value,
        reference: { name: label, value: reference, ratio },
        note: ratio >= LIMIT ? `TOO SLOW ${note}` : note,
      });
    };
    const kept = new KeptAnswers(sides);
    for (const [name, question] of Object.entries(QUESTIONS)) {
      await kept.askAgain();
      add(name, await compare(sides, question, asks));
      say(`${name}: ${figures.at(-1).reference.ratio.toFixed(2)}`);
    }
    for (const [name, result] of await kept.results()) add(name, result);
    for (const [name, [act, times]] of Object.entries(ACTS(asks))) add(name, await alternate(sides, act, times));
    if (isEmbedded && retention === 'on')
      for (const side of Object.values(sides)) figures.push(...(await expire(side, say)));
    say(`allowed below ${LIMIT}; at or above it: ${tooSlow.join(', ') || 'nothing'}`);
    return { figures, isGood: tooSlow.length === 0, store: isEmbedded ? 'embedded store' : 'MongoDB' };
  } finally {
    for (const side of Object.values(sides)) await close(side);
  }
}

/** A Herald on a store with that many notifications. What a kept folder has already is not written again. */
async function prepare(folder, size, say, figures) {
  let side = await open(folder, { flush: false });
  let pattern;
  try {
    pattern = await preparePattern(side.herald, side.db);
    await side.herald.stop();
    const { written, seconds } = await fill(side.db, pattern, size, say);
    const each = (seconds * 1_000_000) / Math.max(1, written);
    say(
      `${size.toLocaleString('en')} notifications, ${written.toLocaleString('en')} of them now in ${Math.round(seconds)} s`,
    );
    if (written > 0) figures.push({ name: `fill, each of ${written.toLocaleString('en')}`, unit: 'µs', value: each });
  } finally {
    await close(side);
  }
  side = await open(folder, {});
  const others = await addOthers(side.herald, side.db, pattern, size);
  const names = namesOf(pattern, others, transactionId(Math.floor(size / 20)));
  if (folder !== undefined) {
    const bytes = statSync(join(folder, 'store', 'data.mdb')).size / size;
    figures.push({
      name: `on disk for each notification, of ${size.toLocaleString('en')}`,
      unit: 'bytes',
      value: bytes,
    });
  }
  return { ...side, folder, size, pattern, names, token: await openSession(side.herald) };
}

/** Without a folder, on the MongoDB of the run. */
async function open(folder, options) {
  const isKept = folder !== undefined && existsSync(folder);
  const store = await openStore(isKept ? { keep: folder, ttlIntervalMs: NEVER_MS, ...options } : {});
  const uri = store.uriOf('herald');
  const herald = await startHerald({ uri, ...KEYS });
  return { store, herald, db: store.db('herald') };
}

async function close({ herald, store }) {
  await herald.stop();
  await store.close();
}

async function openSession(herald) {
  const { identifier } = await herald.call('GET', '/v1/environments/me');
  const subscriberHash = createHmac('sha256', herald.apiKey).update(TARGET).digest('hex');
  const body = { applicationIdentifier: identifier, subscriber: { subscriberId: TARGET }, subscriberHash };
  return (await herald.call('POST', '/v1/inbox/session', body)).token;
}

async function ask({ herald: { url, apiKey }, token, names }, question) {
  const path = pathOf(question, names);
  const authorization = path.startsWith('/v1/inbox') ? `Bearer ${token}` : `ApiKey ${apiKey}`;
  const started = performance.now();
  const answer = await fetch(url + path, { headers: { authorization } });
  const text = await answer.text();
  const ms = performance.now() - started;
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
  return { ms, rows: rowsOf(text) };
}

function rowsOf(text) {
  if (!text.startsWith('{"data"')) return text.split('\n').length;
  const { data } = JSON.parse(text);
  return Array.isArray(data) ? data.length : (data.count ?? 1);
}

/** Puts one question to both in turns, so that both feel the same machine. */
async function compare(sides, question, asks) {
  const first = await askInTurns(sides, question, asks);
  return first.large < first.small * LIMIT ? first : askInTurns(sides, question, asks * SECOND_LOOK);
}

async function askInTurns(sides, question, asks) {
  const rows = {};
  const act = async (side) => {
    const answer = await ask(side, question);
    rows[side.size] = answer.rows;
    return answer.ms;
  };
  const times = await alternate(sides, act, asks + WARM_UP_ROUNDS, WARM_UP_ROUNDS);
  return { ...times, note: `${Object.values(rows).join(' and ')} rows` };
}

/** Asks in between, whenever Herald has to find the answers anew. */
class KeptAnswers {
  constructor(sides) {
    this.sides = sides;
    this.kept = Object.entries(KEPT_ANSWERS).map(([name, [question, keptMs]]) => {
      return { name, question, keptMs, askedAt: -Infinity, times: { small: [], large: [] } };
    });
  }

  async askAgain() {
    for (const one of this.kept) {
      if (performance.now() - one.askedAt < one.keptMs) continue;
      for (const [side, times] of Object.entries(one.times)) times.push((await ask(this.sides[side], one.question)).ms);
      one.askedAt = performance.now();
    }
  }

  /** Without the very first ones, which warm up, and with some more. */
  async results() {
    for (const end = performance.now() + STILL_ASKED_MS; performance.now() < end; await sleep(1_000))
      await this.askAgain();
    return this.kept.map(({ name, times: { small, large } }) => {
      return [name, { small: median(small.slice(1)), large: median(large.slice(1)), note: `${large.length} answers` }];
    });
  }
}

async function alternate(sides, act, times, skipped = 0) {
  const spent = { small: [], large: [] };
  for (let round = 0; round < times; round += 1) {
    const names = round % 2 === 0 ? ['small', 'large'] : ['large', 'small'];
    for (const name of names) {
      const ms = await act(sides[name]);
      if (round >= skipped) spent[name].push(ms);
    }
  }
  return { small: median(spent.small), large: median(spent.large) };
}

/** What changes the store, and how often it is done. */
const ACTS = (asks) => ({
  'from a trigger to its end, a claim among all that wait': [deliverOne, asks],
  [`${EVENTS.toLocaleString('en')} events, delivered`]: [deliverMany, 5],
  'a change of a subscriber': [changeSubscriber, asks],
  'all messages of a subscriber marked as read': [markAll, asks],
});

async function timed(act) {
  const started = performance.now();
  await act();
  return performance.now() - started;
}

function deliverOne({ herald }) {
  return timed(async () => {
    const body = { name: 'hello-1', to: 'subscriber-77', payload: { name: 'Ann' } };
    const { transactionId: id } = await herald.call('POST', '/v1/events/trigger', body);
    await herald.call('GET', `/v1/events/trigger/${id}?wait=30`);
  });
}

function deliverMany({ herald, size }) {
  const name = randomBytes(6).toString('hex');
  return timed(async () => {
    const last = [];
    for (let from = 0; from < EVENTS; from += EVENTS_OF_A_CALL) {
      const events = Array.from({ length: EVENTS_OF_A_CALL }, (_, n) => ({
        name: 'hello-1',
        to: `subscriber-${1 + (((from + n) * 7) % (size / 10 - 1))}`,
        payload: { name: 'Ann' },
        transactionId: `${name}-${from + n}`,
      }));
      await herald.call('POST', '/v1/events/trigger/bulk', { events });
      last.push(events.at(-1).transactionId);
    }
    await Promise.all(last.map((id) => herald.call('GET', `/v1/events/trigger/${id}?wait=30`)));
  });
}

let changes = 0;
function changeSubscriber({ herald }) {
  changes += 1;
  return timed(() => herald.call('PUT', '/v1/subscribers/subscriber-78', { firstName: `Name ${changes}` }));
}

function markAll({ herald }) {
  return timed(() => herald.call('POST', '/v1/subscribers/target/messages/mark-all', { markAs: 'read' }));
}

/** What was created on the first day expires, while the store is read. The next fill writes it again. */
async function expire(side, say) {
  const { folder, size, pattern } = side;
  await close(side);
  const result = await retire({
    folder,
    pattern,
    reopen: async (options) => {
      Object.assign(side, await open(folder, options));
      side.token = await openSession(side.herald);
      return side;
    },
    ask: (question) => ask(side, question),
    say,
  });
  await forgetFirstDay(side.db, size);
  return result.map((figure) => ({ ...figure, name: `${figure.name}, with ${size.toLocaleString('en')}` }));
}
