// Browsers that are connected by socket: memory for each, and the time from the answer to a trigger to its event.
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { io } from 'socket.io-client';
import { createSubscribers, createWorkflow, inApp } from '../support/content.mjs';
import { startHerald } from '../support/herald.mjs';
import { nowMs } from '../support/load.mjs';
import { residentMb, settle, until } from '../support/processes.mjs';
import { percentileFigures } from '../support/report.mjs';
import { openStore } from '../support/stores.mjs';

const OPENED_AT_ONCE = 50;
const KB = 1_024;
const TRIGGER = '/v1/events/trigger';

export async function run({ settings: { sockets, messages, broadcasts } }) {
  const store = await openStore();
  const clients = [];
  let herald;
  try {
    herald = await startHerald({ uri: store.uriOf('herald'), settings: { SESSION_LIMIT_PER_ADDRESS: '0' } });
    await createSubscribers(herald, 's', sockets + 1);
    const name = await createWorkflow(herald, 'Live', [inApp('Hello {{subscriber.firstName}}, {{n}}')]);
    // The first one loads what sockets need.
    clients.push(await connect(herald, `s${sockets}`));
    await settle(herald.pids());
    const before = residentMb(herald.pids());
    for (let from = 0; from < sockets; from += OPENED_AT_ONCE) {
      const opened = Array.from({ length: Math.min(OPENED_AT_ONCE, sockets - from) }, (_, n) =>
        connect(herald, `s${from + n}`),
      );
      clients.push(...(await Promise.all(opened)));
    }
    await settle(herald.pids());
    const perSocket = ((residentMb(herald.pids()) - before) * KB) / sockets;
    const idle = await oneByOne(herald, name, clients, messages);
    const all = [];
    for (let round = 0; round < broadcasts; round += 1) all.push(...(await broadcast(herald, name, clients)));
    const count = sockets.toLocaleString('en');
    return {
      figures: [
        { name: `memory for each of ${count} sockets`, unit: 'KB', value: perSocket },
        ...percentileFigures('trigger to event, idle', idle),
        ...percentileFigures(`trigger to event, broadcast to ${count} sockets`, all),
      ],
      store: store.kind,
    };
  } finally {
    for (const { socket } of clients) socket.close();
    await herald?.stop();
    await store.close();
  }
}

/** @returns a browser of a subscriber; `receivedAt` is the time of the first message since it was cleared */
export async function connect({ url, call }, subscriberId) {
  const { identifier } = await call('GET', '/v1/environments/me');
  const [{ key }] = await call('GET', '/v1/environments/api-keys');
  const hmacHash = createHmac('sha256', key).update(subscriberId).digest('hex');
  const body = { applicationIdentifier: identifier, subscriberId, hmacHash };
  const { token } = await call('POST', '/v1/widgets/session/initialize', body);
  const socket = io(url, { transports: ['websocket'], forceNew: true, auth: { token } });
  const client = { subscriberId, socket, receivedAt: undefined };
  socket.on('notification_received', () => (client.receivedAt ??= nowMs()));
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('connect_error', reject));
  return client;
}

/** @returns ms from the answer to each trigger to its event in the browser */
export async function oneByOne({ call }, name, clients, count) {
  const times = [];
  for (let n = 0; n < count; n += 1) {
    const client = clients[(n * 7) % clients.length];
    client.receivedAt = undefined;
    await call('POST', TRIGGER, { name, to: client.subscriberId, payload: { n } });
    const answeredAt = nowMs();
    await until(() => client.receivedAt !== undefined, { everyMs: 5, what: 'the event' });
    // An event can be faster than the answer.
    times.push(Math.max(0, client.receivedAt - answeredAt));
    await sleep(50);
  }
  return times;
}

async function broadcast({ call, pids }, name, clients) {
  for (const client of clients) client.receivedAt = undefined;
  await call('POST', `${TRIGGER}/broadcast`, { name, payload: { n: 0 } });
  const answeredAt = nowMs();
  await until(() => clients.every(({ receivedAt }) => receivedAt !== undefined), { everyMs: 20, what: 'all events' });
  await settle(pids());
  return clients.map(({ receivedAt }) => Math.max(0, receivedAt - answeredAt));
}
