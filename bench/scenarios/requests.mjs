// Single routes: Herald, the straightforward application and the bare handler on the same documents and indexes; and the plain application
// and a bare handler on the fields and indexes that these routes need.
import { copyCollection, copyReduced, openStore } from '../support/stores.mjs';
import { startBare, startPlain, startStraightforward } from '../support/baselines.mjs';
import { commandsPerRequest } from '../support/command-count.mjs';
import { startCommandProxy } from '../support/command-proxy.mjs';
import { bulkBodies, createSubscribers, createWorkflow, inApp } from '../support/content.mjs';
import { startHerald } from '../support/herald.mjs';
import { load } from '../support/load.mjs';
import { cpuMs, residentMb, settle, until } from '../support/processes.mjs';
import { alternately, median, ratioOf, spreadOf } from '../support/statistics.mjs';

const SUBSCRIBERS = 1_000;
/** Messages in the feed that is read. */
const INBOX = 1_000;
/** More than there are connections. */
const MARKED_TOGETHER = 64;
/** The first thousands of requests measure how a program is compiled, and a larger program has more to compile. */
const WARM_UP_LOAD = { seconds: 6 };
const CONTESTANTS = ['herald', 'straightforward', 'bare', 'plain', 'plainBare'];
const COPIED = ['apiKeys', 'workflows', 'subscribers', 'messages', 'triggerEvents'];
/** What the routes need of the documents, and the indexes that they follow. */
const REDUCED = {
  subscribers: {
    fields: ['subscriberId', 'firstName', 'lastName', 'email', 'createdAt', 'updatedAt', '__v'],
    indexes: [{ key: { subscriberId: 1 }, unique: true }, { key: { createdAt: -1, _id: -1 } }],
  },
  messages: {
    fields: ['_subscriberId', 'transactionId', 'content', 'payload', 'seen', 'read', 'createdAt', 'updatedAt'],
    indexes: [{ key: { _subscriberId: 1, createdAt: -1, _id: -1 } }, { key: { _subscriberId: 1, seen: 1 } }],
  },
  triggerEvents: {
    fields: ['transactionId', 'to', 'payload', 'createdAt'],
    indexes: [{ key: { transactionId: 1 }, unique: true }],
  },
};

/** What is asked of each contestant. The bare handler has a path of its own for each; the plain application has three routes. */
export function questions({ workflow, messageIds }) {
  const get = (path) => [{ method: 'GET', path }];
  const post = (path, bodies) => bodies.map((body) => ({ method: 'POST', path, body: JSON.stringify(body) }));
  const profile = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };
  const of = (path, bare, requests) => ({ bare, requests: requests(path) });
  const ofAll = (...question) => ({ ...of(...question), isPlain: true });
  return {
    'create a subscriber': ofAll('/v1/subscribers', '/create', (path) =>
      post(path, [{ subscriberId: 'n-[id]', ...profile }]),
    ),
    'get a subscriber': ofAll('/v1/subscribers', '/get', (path) =>
      Array.from({ length: SUBSCRIBERS }, (_, n) => ({ method: 'GET', path: `${path}/s${n}`, key: `/s${n}` })),
    ),
    'list of 20': ofAll('/v1/subscribers?limit=20', '/list', get),
    'feed of 10 with its total': of('/v1/subscribers/s1/notifications/feed?limit=10', '/feed', get),
    'unseen count': of('/v1/subscribers/s1/notifications/unseen', '/unseen', get),
    'mark as read': of('/v1/subscribers/s1/messages/mark-as', '/mark', (path) => post(path, marksOf(messageIds))),
    // Bare: one insert. Herald delivers what it has accepted at the same time, and is charged for it.
    'trigger, with delivery': of('/v1/events/trigger', '/trigger', (path) =>
      post(path, [{ name: workflow, to: 's2', payload: { n: 1 } }]),
    ),
    // What one process accepts if others deliver. Last, because it leaves work behind.
    'trigger, accepted': {
      ...of('/v1/events/trigger', '/trigger', (path) => post(path, [{ name: workflow, to: 's2', payload: { n: 1 } }])),
      settings: { DELIVERY_WORKER: 'off' },
    },
  };
}

/**
 * Every request changes a message: some become read, then the same ones become unread. A message is not marked again while the
 * request before is in flight, and a round that ends anywhere leaves nearly all of them unread.
 */
function marksOf(messageIds) {
  const marks = [];
  for (let from = 0; from < messageIds.length; from += MARKED_TOGETHER)
    for (const markAs of ['read', 'unread'])
      for (const messageId of messageIds.slice(from, from + MARKED_TOGETHER)) marks.push({ messageId, markAs });
  return marks;
}

export async function run({ settings, say }) {
  const store = await openStore();
  try {
    const { world, counts } = await prepare(store, settings.route);
    const { comparisons, memory } = await measureAll(store, world, settings, say);
    for (const comparison of comparisons)
      for (const [name, contestant] of Object.entries(comparison.contestants))
        contestant.commands = counts[comparison.name][name];
    return { comparisons, figures: [memory], store: store.kind };
  } finally {
    await store.close();
  }
}

/**
 * Everything that is not measured: makes a feed of messages that were really delivered, copies Herald's documents and indexes
 * for the others, and counts the store commands of each request.
 */
async function prepare(store, route) {
  const uris = Object.fromEntries(CONTESTANTS.map((name) => [name, store.uriOf(name)]));
  const proxy = await startCommandProxy(uris.herald);
  const herald = await startHerald({ uri: proxy.uri });
  const { apiKey } = herald;
  try {
    const feed = await fillFeed(store, herald);
    for (const name of ['straightforward', 'bare'])
      for (const collection of COPIED) await copyCollection(store.db('herald'), store.db(name), collection);
    for (const name of ['plain', 'plainBare'])
      for (const [collection, reduced] of Object.entries(REDUCED))
        await copyReduced(store.db('herald').collection(collection), store.db(name).collection(collection), reduced);
    const owner = await herald.call('GET', '/v1/subscribers/s1');
    const world = {
      ...feed,
      uris,
      start: {
        herald: (uri, settings) => startHerald({ uri, apiKey, settings }),
        straightforward: (uri) => startStraightforward(uri, apiKey),
        bare: (uri) => startBare(uri, owner._id, owner._environmentId),
        plain: (uri) => startPlain(uri),
        plainBare: (uri) => startBare(uri, owner._id),
      },
    };
    world.asked = Object.entries(questions(world)).filter(([name]) => name.includes(route));
    return { world, counts: await countAll(world, herald, proxy) };
  } finally {
    await herald.stop();
    proxy.close();
  }
}

/** What is read and marked: subscribers, and a feed of messages that were really delivered. */
export async function fillFeed(store, herald) {
  const workflow = await createWorkflow(herald, 'Bench', [inApp('Hello {{subscriber.firstName}}, {{n}}')]);
  await createSubscribers(herald, 's', SUBSCRIBERS);
  for (const body of bulkBodies(INBOX, (n) => ({ name: workflow, to: 's1', payload: { n } })))
    await herald.call('POST', '/v1/events/trigger/bulk', body);
  const messages = store.db('herald').collection('messages');
  await until(async () => (await messages.countDocuments({})) >= INBOX, { what: 'the feed' });
  await settle([...herald.pids(), ...store.pids]);
  const rows = await messages.find({}, { projection: { _id: 1 } }).toArray();
  return { workflow, messageIds: rows.map(({ _id }) => _id.toHexString()) };
}

/** Store commands of each request, by the name of the question and the contestant. */
async function countAll({ uris, start, asked }, herald, proxy) {
  const counts = Object.fromEntries(asked.map(([name]) => [name, {}]));
  const count = async (contestant, running, via, questionsOfIt) => {
    for (const [name, question] of questionsOfIt)
      counts[name][contestant] = await commandsPerRequest(via, running, requestsOf(contestant, question));
  };
  const countOwn = async (contestant, questionsOfIt, settings) => {
    const via = await startCommandProxy(uris[contestant]);
    const running = await start[contestant](via.uri, settings);
    try {
      await count(contestant, running, via, questionsOfIt);
    } finally {
      await running.stop();
      via.close();
    }
  };
  await count(
    'herald',
    herald,
    proxy,
    asked.filter(([, { settings }]) => settings === undefined),
  );
  for (const entry of asked) if (entry[1].settings) await countOwn('herald', [entry], entry[1].settings);
  for (const contestant of CONTESTANTS.slice(1))
    await countOwn(
      contestant,
      asked.filter(([, question]) => takesPart(contestant, question)),
    );
  return counts;
}

const takesPart = (contestant, { isPlain = false }) => isPlain || contestant !== 'plain';

function requestsOf(contestant, { bare, requests }) {
  return ['bare', 'plainBare'].includes(contestant)
    ? requests.map((request) => ({ ...request, path: `${bare}${request.key ?? ''}` }))
    : requests;
}

async function measureAll(store, { start, uris, asked }, settings, say) {
  const contestants = {};
  try {
    for (const name of CONTESTANTS) contestants[name] = await start[name](uris[name]);
    const comparisons = [];
    for (const [name, question] of asked) {
      if (question.settings !== undefined) {
        await contestants.herald.stop();
        contestants.herald = await start.herald(uris.herald, question.settings);
      }
      comparisons.push(comparisonOf(name, await measure(store, contestants, question, settings)));
      say(`${name}: ${ratiosOf(comparisons.at(-1))}`);
    }
    const value = residentMb(contestants.herald.pids());
    return { comparisons, memory: { name: 'memory of the API after the requests', unit: 'MB', value } };
  } finally {
    await Promise.all(Object.values(contestants).map((contestant) => contestant.stop()));
  }
}

const ratiosOf = ({ ratios }) =>
  Object.entries(ratios)
    .map(([name, ratio]) => `${name} ${ratio.value.toFixed(2)}`)
    .join(', ');

/** Rounds of one question, after a warm-up of every contestant: the first calls of a route run before it is compiled. */
async function measure(store, contestants, question, { rounds, seconds }) {
  const once = async (contestant, name, amount) => {
    const pids = contestant.pids();
    const before = { api: cpuMs(pids), store: cpuMs(store.pids) };
    const round = await load({ ...contestant, requests: requestsOf(name, question), ...amount });
    // Work that an answer did not wait for is part of the request.
    await settle([...pids, ...store.pids]);
    return {
      perSecond: round.answered / round.seconds,
      p99Ms: round.p99Ms,
      apiUs: ((cpuMs(pids) - before.api) * 1_000) / round.sent,
      loadUs: round.cpuUs / round.sent,
      storeUs: ((cpuMs(store.pids) - before.store) * 1_000) / round.sent,
    };
  };
  const taking = Object.fromEntries(Object.entries(contestants).filter(([name]) => takesPart(name, question)));
  await alternately(taking, 1, (contestant, name) => once(contestant, name, WARM_UP_LOAD));
  return alternately(taking, rounds, (contestant, name) => once(contestant, name, { seconds }));
}

function comparisonOf(name, rounds) {
  const contestants = Object.entries(rounds).map(([contestant, values]) => [
    contestant,
    {
      ...medians(values),
      perSecond: spreadOf(values.map(({ perSecond }) => perSecond)),
    },
  ]);
  const { herald, ...others } = rounds;
  const cpu = (values) => values.map((value) => ({ ...value, speed: 1 / (value.apiUs || 1) }));
  const ratios = Object.entries(others).flatMap(([other, values]) => [
    [other, ratioOf(herald, values, 'perSecond')],
    [`cpu ${other}`, ratioOf(cpu(herald), cpu(values), 'speed')],
  ]);
  return {
    name,
    unit: 'requests/s',
    contestants: Object.fromEntries(contestants),
    // Above 1: Herald is the quicker one. `cpu` compares processor time of the API process, and is the steadier one.
    ratios: Object.fromEntries(ratios),
  };
}

function medians(values) {
  const keys = Object.keys(values[0]);
  return Object.fromEntries(keys.map((key) => [key, median(values.map((value) => value[key]))]));
}
