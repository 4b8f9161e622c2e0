// Runs autocannon for one round. Its parent sends one message and gets one answer.
import { randomBytes } from 'node:crypto';
import autocannon from 'autocannon';

/** autocannon ends a round with a sample, so long samples would make rounds longer than they are. */
const SAMPLE_MS = 10;
/** A contestant that answers nothing must not keep the run. */
const LONGEST_SECONDS = 600;

process.once('disconnect', () => process.exit());
process.once('message', async ({ url, apiKey, requests, seconds, amount, connections }) => {
  try {
    process.send(await run({ url, apiKey, requests, seconds, amount, connections }));
  } catch (error) {
    process.send({ error: String(error) });
  }
});

async function run({ url, apiKey, requests, seconds, amount, connections }) {
  const prefix = randomBytes(4).toString('hex');
  let next = 0;
  const prepare = (request) => {
    const { path, body } = requests[next % requests.length];
    next += 1;
    return { ...request, path, body: body?.replaceAll('[id]', `${prefix}-${next}`) };
  };
  const [first] = requests;
  const isFixed = requests.length === 1 && !first.body?.includes('[id]');
  const cpu = process.cpuUsage();
  const startedAt = performance.timeOrigin + performance.now();
  const result = await autocannon({
    url,
    connections,
    ...(amount === undefined ? { duration: seconds } : { amount, duration: LONGEST_SECONDS }),
    timeout: 60,
    sampleInt: SAMPLE_MS,
    headers: { authorization: `ApiKey ${apiKey}`, 'content-type': 'application/json' },
    requests: [{ ...first, ...(!isFixed && { setupRequest: prepare }) }],
  });
  const { non2xx, errors, timeouts, latency, requests: answered } = result;
  if (non2xx + errors + timeouts > 0) return { error: `${non2xx} not 2xx, ${errors} errors, ${timeouts} timeouts` };
  const { user, system } = process.cpuUsage(cpu);
  const ended = performance.timeOrigin + performance.now();
  return {
    startedAt,
    answered: answered.total,
    sent: answered.sent,
    cpuUs: user + system,
    seconds: (ended - startedAt) / 1_000,
    p50Ms: latency.p50,
    p99Ms: latency.p99,
  };
}
