// Many environments send chats at the same time: when each has its last one, and how much longer that takes beside one that sends much more.
import { bulkBodies, createWorkflow } from '../support/content.mjs';
import { addEnvironments } from '../support/environments.mjs';
import { startHerald } from '../support/herald.mjs';
import { nowMs } from '../support/load.mjs';
import { settle, until } from '../support/processes.mjs';
import { startHttpServer } from '../support/receivers.mjs';
import { median, spreadOf } from '../support/statistics.mjs';
import { openStore } from '../support/stores.mjs';

/** Nobody waits more than this many times as long. */
const LIMIT = 2;
const ROUNDS = 3;
const WARM_UP_ROUNDS = 2;
const SUBSCRIBERS = 20;

export async function environmentsAtOnce({ environments, messages, flood }) {
  const store = await openStore();
  const receiver = await startHttpServer();
  let herald;
  try {
    herald = await startHerald({ uri: store.uriOf('herald'), settings: { LOG_LEVEL: 'error' } });
    const [large, ...others] = await addEnvironments(herald, store.db('herald'), environments + 1);
    const send = async (more) => {
      await settle([...herald.pids(), ...store.pids]);
      const before = await receiver.kinds();
      const startedAt = nowMs();
      const sent = [...others.map((one) => [one, messages]), ...(more > 0 ? [[large, more]] : [])];
      await Promise.all(sent.map(([one, count]) => trigger(one, count)));
      const countOf = (kinds, { kind }) => kinds.get(kind)?.count ?? 0;
      let now;
      await until(
        async () => {
          now = await receiver.kinds();
          return sent.every(([one, count]) => countOf(now, one) === countOf(before, one) + count);
        },
        { everyMs: 100, what: 'the last chat' },
      );
      return others.map(({ kind }) => (now.get(kind).at - startedAt) / 1_000);
    };
    for (const [place, one] of [large, ...others].entries()) await prepare(one, `e${place}`, receiver);
    for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await send(0);
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push({ alike: await send(0), beside: await send(flood) });
    return { ...report(rounds, { environments, messages, flood }), store: store.kind };
  } finally {
    await herald?.stop();
    await receiver.stop();
    await store.close();
  }
}

/** Ratios are those of one round, because the machine may do something else in another one. */
function report(rounds, { environments, messages, flood }) {
  const rows = [
    ['alike', `${environments} environments with ${messages} chats each at once, until the last of one`],
    ['beside', `the same beside ${flood.toLocaleString('en')} more of another one`],
  ].map(([key, name]) => {
    const ratio = median(rounds.map((round) => Math.max(...round[key]) / median(round.alike)));
    const note = `the longest is ${ratio.toFixed(2)} times the median ${key === 'alike' ? '' : 'without it'}`.trim();
    return { ratio, figure: { name, unit: 's', ...spreadOf(rounds.flatMap((round) => round[key])), note } };
  });
  return { figures: rows.map(({ figure }) => figure), isGood: rows.every(({ ratio }) => ratio <= LIMIT) };
}

/** Creates what chats need; the path of its webhooks tells the environments apart. */
async function prepare(one, kind, receiver) {
  const integration = { providerId: 'discord', channel: 'chat', active: true, check: false, credentials: {} };
  await one.call('POST', '/v1/integrations', integration);
  const webhookUrl = `http://127.0.0.1:${receiver.port}/${kind}/hook`;
  const subscribers = Array.from({ length: SUBSCRIBERS }, (_, n) => ({
    subscriberId: `s${n}`,
    channels: [{ providerId: 'discord', credentials: { webhookUrl } }],
  }));
  await one.call('POST', '/v1/subscribers/bulk', { subscribers });
  const name = await createWorkflow(one, 'Chat', [{ template: { type: 'chat', content: 'Hello, number {{n}}' } }]);
  Object.assign(one, { kind, name });
}

async function trigger({ call, name }, count) {
  const bodies = bulkBodies(count, (n) => ({ name, to: `s${n % SUBSCRIBERS}`, payload: { n } }));
  await Promise.all(bodies.map((body) => call('POST', '/v1/events/trigger/bulk', body)));
}
