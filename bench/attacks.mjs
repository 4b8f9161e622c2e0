// What hostile input does to other clients: starts Herald on an empty store, sends it texts, templates, conditions and
// requests that take as long as possible, and measures how long GET /v1/health-check waits, which asks the store,
// and a request that is answered without it ("process"). Needs `npm run build`.
//   node bench/attacks.mjs [--program dist/bundle/main.js] [--seconds 20] [--only name] [--from name]
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { LARGE_RECORDS } from './attacks/records.mjs';
import { TEXTS_AND_TEMPLATES } from './attacks/texts.mjs';
import { startKillableService } from './support/killable-service.mjs';

const { values } = parseArgs({
  options: {
    program: { type: 'string', default: 'dist/bundle/main.js' },
    seconds: { type: 'string', default: '20' },
    only: { type: 'string' },
    from: { type: 'string' },
  },
});
const LONGEST_MS = Number(values.seconds) * 1_000;
/** A while without a long wait: whatever the attack has set off is over. */
const QUIET_MS = 3_000;
const LONG_WAIT_MS = 100;
const say = (text) => process.stdout.write(`${text}\n`);

async function startHerald() {
  const { url, apiKey, close: stop } = await startKillableService({ LOG_LEVEL: 'fatal' }, resolve(values.program));
  const call = async (method, path, body) => {
    const answer = await fetch(url + path, {
      method,
      headers: { authorization: `ApiKey ${apiKey}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(LONGEST_MS + 10_000),
    });
    return { status: answer.status, ...(await answer.json()) };
  };
  return { url, call, stop };
}

/** Asks again and again until it was answered quickly for a while, or time is up. */
async function waits(url) {
  const found = [];
  const begun = performance.now();
  let lastLong = begun;
  while (performance.now() - begun < LONGEST_MS && performance.now() - lastLong < QUIET_MS) {
    const asked = performance.now();
    const signal = AbortSignal.timeout(Math.max(1, Math.ceil(LONGEST_MS - (asked - begun))));
    await fetch(url, { signal }).then(
      (answer) => answer.text(),
      () => undefined,
    );
    const took = performance.now() - asked;
    found.push(took);
    if (took > LONG_WAIT_MS) lastLong = performance.now();
    await sleep(5);
  }
  return found.sort((a, b) => a - b);
}

const at = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;

say('| input | answer | p50 ms | p99 ms | max ms | process p99 ms | process max ms | measured s |');
say('| --- | --- | --- | --- | --- | --- | --- | --- |');
let hasBegun = values.from === undefined;
for (const [name, prepare] of Object.entries({ ...TEXTS_AND_TEMPLATES, ...LARGE_RECORDS })) {
  if (values.only !== undefined && !name.includes(values.only)) continue;
  if (!hasBegun && !name.includes(values.from)) continue;
  hasBegun = true;
  const herald = await startHerald();
  try {
    const attack = await prepare(herald);
    await sleep(500);
    const begun = performance.now();
    const [answer, measured, ofProcess] = await Promise.all([
      Promise.resolve(attack()).catch((error) => ({ status: error.name })),
      waits(`${herald.url}/v1/health-check`),
      // answered without a look into the store
      waits(`${herald.url}/v1/nothing`),
    ]);
    const statuses = [answer].flat().map((one) => one?.status ?? '');
    const numbers = [
      at(measured, 0.5),
      at(measured, 0.99),
      measured.at(-1) ?? 0,
      at(ofProcess, 0.99),
      ofProcess.at(-1) ?? 0,
    ].map(Math.round);
    say(
      `| ${[name, [...new Set(statuses)].join(' '), ...numbers, ((performance.now() - begun) / 1_000).toFixed(1)].join(' | ')} |`,
    );
  } finally {
    await herald.stop();
  }
}
