// What a change costs: this tree beside another one, in turns of a second, so that whatever else the machine does slows both alike. The cost
// is the processor time of the API, as its rates depend on the machine more than on the program.
import { createSubscribers, createWorkflow, inApp } from '../support/content.mjs';
import { startHerald } from '../support/herald.mjs';
import { load } from '../support/load.mjs';
import { cpuMs, settle, until } from '../support/processes.mjs';
import { figureOf } from '../support/report.mjs';
import { alternately } from '../support/statistics.mjs';
import { openStore } from '../support/stores.mjs';
import { fillFeed, questions } from './requests.mjs';

const WARM_UP = 15_000;

export async function run({ settings: { before, route, requests, recipients, rounds }, say }) {
  if (before === '') throw new Error('Name the built program of the other tree: --set before=TREE/dist/bundle/main.js');
  const store = await openStore();
  const opened = [];
  try {
    const contestants = {};
    for (const [name, program] of [
      ['after', undefined],
      ['before', before],
    ]) {
      const herald = await startHerald({ uri: store.uriOf(name), program });
      opened.push(herald);
      const own = { ...store, db: () => store.db(name) };
      contestants[name] = { herald, ways: await waysOf(own, herald, { route, requests, recipients }) };
    }
    const costs = await alternately(contestants, rounds, measure);
    const figures = Object.keys(contestants.after.ways).map((name) => {
      const figure = figureOf(name, 'µs of the API', costs.after, name, { name: 'before', rounds: costs.before });
      say(`${name}: ${figure.reference.ratio.toFixed(2)} of before`);
      return figure;
    });
    return { figures, store: store.kind };
  } finally {
    for (const herald of opened) await herald.stop();
    await store.close();
  }
}

/** Each sends, and gives the number of requests or messages. */
async function waysOf(store, herald, { route, requests, recipients }) {
  const world = await fillFeed(store, herald);
  const name = await createWorkflow(herald, 'Change', [inApp('Hello {{subscriber.firstName}}, {{n}}')]);
  await createSubscribers(herald, 'c', recipients);
  const [messages, subscribers] = ['messages', 'subscribers'].map((each) => store.db().collection(each));
  const ways = {
    broadcast: async () => {
      const count = await subscribers.countDocuments({});
      const before = await messages.estimatedDocumentCount();
      await herald.call('POST', '/v1/events/trigger/broadcast', { name, payload: { n: 1 } });
      await until(async () => (await messages.estimatedDocumentCount()) >= before + count, { what: 'the broadcast' });
      return count;
    },
  };
  await ways.broadcast();
  for (const [question, { requests: asked, settings }] of Object.entries(questions(world))) {
    if (!question.includes(route) || settings !== undefined) continue;
    ways[question] = async () => (await load({ ...herald, requests: asked, amount: requests })).sent;
    await load({ ...herald, requests: asked, amount: WARM_UP });
  }
  return ways;
}

/** @returns processor time of the API for each request or message, by its name */
async function measure({ herald, ways }) {
  const costs = {};
  for (const [name, send] of Object.entries(ways)) {
    await settle(herald.pids());
    const begun = cpuMs(herald.pids());
    const amount = await send();
    await settle(herald.pids());
    costs[name] = ((cpuMs(herald.pids()) - begun) * 1_000) / amount;
  }
  return costs;
}
