// Feeds, new subscribers and triggers at the same time, for as long as it takes to see whether memory and waiting times stay flat.
import { createSubscribers, createWorkflow, inApp } from '../support/content.mjs';
import { startHerald } from '../support/herald.mjs';
import { load } from '../support/load.mjs';
import { anonymousMb, residentMb, until } from '../support/processes.mjs';
import { openStore } from '../support/stores.mjs';
import { median } from '../support/statistics.mjs';

const SUBSCRIBERS = 1_000;
const WARM_UP_SECONDS = 10;

export async function run({ settings: { seconds, slices }, say }) {
  const store = await openStore();
  let herald;
  try {
    herald = await startHerald({ uri: store.uriOf('herald') });
    const name = await createWorkflow(herald, 'Mixed', [inApp('Hello {{subscriber.firstName}}, {{n}}')]);
    await createSubscribers(herald, 's', SUBSCRIBERS);
    const questions = questionsOf(name);
    const warmUp = await slice(herald, questions, WARM_UP_SECONDS);
    let answered = warmUp.trigger.answered;
    const measured = [];
    for (let n = 0; n < slices; n += 1) {
      const loads = await slice(herald, questions, seconds / slices);
      answered += loads.trigger.answered;
      const memory = {
        api: residentMb(herald.pids()),
        store: residentMb(store.pids),
        ownOfStore: anonymousMb(store.pids),
      };
      measured.push({ loads, memory });
      say(
        `${n + 1}/${slices}: ${sliceText(loads)}, ${memory.api.toFixed(0)} + ${memory.store.toFixed(0)} MB (${memory.ownOfStore.toFixed(0)} without its file)`,
      );
    }
    const countOf = (collection) => store.db('herald').collection(collection).estimatedDocumentCount();
    // An event whose answer the end of a slice cut off is delivered as well.
    const isDelivered = async () => (await countOf('messages')) === (await countOf('triggerEvents'));
    await until(isDelivered, { everyMs: 250, what: 'all messages' });
    const delivered = await countOf('messages');
    return { figures: figuresOf(measured, delivered, seconds), store: store.kind, isGood: delivered >= answered };
  } finally {
    await herald?.stop();
    await store.close();
  }
}

function questionsOf(name) {
  const subscribers = Array.from({ length: SUBSCRIBERS }, (_, n) => `s${n}`);
  const get = (subscriberId) => ({
    method: 'GET',
    path: `/v1/subscribers/${subscriberId}/notifications/feed?limit=10`,
  });
  const trigger = (to, n) => ({
    method: 'POST',
    path: '/v1/events/trigger',
    body: JSON.stringify({ name, to, payload: { n } }),
  });
  const profile = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };
  const create = {
    method: 'POST',
    path: '/v1/subscribers',
    body: JSON.stringify({ subscriberId: 'n-[id]', ...profile }),
  };
  return {
    feed: { requests: subscribers.map(get), connections: 8 },
    create: { requests: [create], connections: 2 },
    trigger: { requests: subscribers.map(trigger), connections: 8 },
  };
}

/** All at the same time. @returns the loads by name */
async function slice(herald, questions, seconds) {
  const entries = Object.entries(questions).map(async ([name, question]) => [
    name,
    await load({ ...herald, ...question, seconds }),
  ]);
  return Object.fromEntries(await Promise.all(entries));
}

const perSecond = ({ answered, seconds }) => answered / seconds;

const sliceText = (loads) =>
  Object.entries(loads)
    .map(([name, one]) => `${name} ${perSecond(one).toFixed(0)}/s, p99 ${one.p99Ms.toFixed(0)} ms`)
    .join('; ');

/** The first and the last third of the slices, because single slices vary. */
function figuresOf(measured, delivered, seconds) {
  const third = Math.max(1, Math.floor(measured.length / 3));
  const [first, last] = [measured.slice(0, third), measured.slice(-third)];
  const compared = (name, unit, valueOf) => {
    const [before, value] = [first, last].map((part) => median(part.map(valueOf)));
    return { name, unit, value, reference: { name: 'in the first third', value: before, ratio: value / before } };
  };
  const routes = Object.keys(measured[0].loads);
  return [
    { name: `mixed load: messages delivered in ${seconds} s`, unit: 'messages', value: delivered },
    ...routes.map((name) => compared(`${name}, last third`, 'requests/s', ({ loads }) => perSecond(loads[name]))),
    ...routes.map((name) => compared(`${name}, p99, last third`, 'ms', ({ loads }) => loads[name].p99Ms)),
    compared('memory of the API, last third', 'MB', ({ memory }) => memory.api),
    compared('memory of the store, last third', 'MB', ({ memory }) => memory.store),
    compared('the same without mapped pages of its file', 'MB', ({ memory }) => memory.ownOfStore),
  ];
}
