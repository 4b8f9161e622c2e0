// One environment broadcasts while another triggers single events: how long those take, and how much memory the
// broadcast needs. Needs `npm run build`.
//   node bench/fairness.mjs [--subscribers 100000]
import { parseArgs } from 'node:util';
import { call, percentile, startService, until } from './support/service.mjs';

const { values } = parseArgs({ options: { subscribers: { type: 'string', default: '100000' } } });
const SUBSCRIBERS = Number(values.subscribers);
const say = (text) => process.stdout.write(`${text}\n`);
const megabytes = () => process.memoryUsage().rss / 1_048_576;

const service = await startService();
const { EventEmitter2 } = await import('@nestjs/event-emitter');
const seen = new Map();
let sent = 0;
service.app.get(EventEmitter2).on('MessageSent', ({ origin }) => {
  sent += 1;
  if (origin.transactionId.startsWith('single')) seen.set(origin.transactionId, performance.now());
});

async function createWorkflow(apiKey) {
  const [group] = await call(service.url, apiKey, 'GET', '/v1/notification-groups');
  const steps = [{ template: { type: 'in_app', content: 'Hello {{subscriber.firstName}}' } }];
  const body = { name: 'Fair', notificationGroupId: group._id, active: true, steps };
  return (await call(service.url, apiKey, 'POST', '/v1/workflows', body)).triggers[0].identifier;
}

const large = await createWorkflow(service.apiKey);
const other = await service.newEnvironment();
const small = await createWorkflow(other.apiKey);
for (let from = 0; from < SUBSCRIBERS; from += 500) {
  const subscribers = Array.from({ length: 500 }, (_, n) => ({ subscriberId: `s${from + n}`, firstName: 'Ann' }));
  await service.api('POST', '/v1/subscribers/bulk', { subscribers });
}
const before = megabytes();
let peak = before;
const watch = setInterval(() => (peak = Math.max(peak, megabytes())), 50);
const started = performance.now();
await service.api('POST', '/v1/events/trigger/broadcast', { name: large, payload: {} });
const latencies = [];
for (let n = 0; sent < SUBSCRIBERS; n += 1) {
  const transactionId = `single-${n}`;
  const begun = performance.now();
  const body = { name: small, to: 'bob', transactionId };
  await call(service.url, other.apiKey, 'POST', '/v1/events/trigger', body);
  await until(() => seen.has(transactionId), 1, 60_000);
  latencies.push(seen.get(transactionId) - begun);
  await new Promise((resolve) => setTimeout(resolve, 100));
}
const seconds = (performance.now() - started) / 1_000;
clearInterval(watch);
say(
  `broadcast to ${SUBSCRIBERS}: ${seconds.toFixed(1)} s, ${(SUBSCRIBERS / seconds).toFixed(0)}/s; ` +
    `memory ${before.toFixed(0)} MB before, ${peak.toFixed(0)} MB at most`,
);
say(
  `single triggers of another environment during the broadcast (${latencies.length}): median ${percentile(latencies, 50).toFixed(1)} ms, ` +
    `p99 ${percentile(latencies, 99).toFixed(1)} ms, longest ${Math.max(...latencies).toFixed(1)} ms`,
);
await service.close();
