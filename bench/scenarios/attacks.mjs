// What hostile input does to other clients: starts Herald on an empty store for each input, sends texts, templates, conditions and
// requests that take as long as possible, and measures how long GET /v1/health-check waits, which asks the store, and a request
// that is answered without it.
import { setTimeout as sleep } from 'node:timers/promises';
import { LARGE_RECORDS } from '../attacks/records.mjs';
import { TEXTS_AND_TEMPLATES } from '../attacks/texts.mjs';
import { startHerald } from '../support/herald.mjs';
import { percentile } from '../support/statistics.mjs';

/** After this long without a long wait, whatever the attack has set off is over. */
const QUIET_MS = 3_000;
const LONG_WAIT_MS = 100;

export async function run({ settings, say }) {
  const longestMs = settings.seconds * 1_000;
  const inputs = Object.entries({ ...TEXTS_AND_TEMPLATES, ...LARGE_RECORDS });
  const figures = [];
  for (const [name, prepare] of inputs.filter(([input]) => input.includes(settings.input))) {
    const herald = await startHerald({
      settings: { LOG_LEVEL: 'fatal' },
      ...(settings.program && { program: settings.program }),
    });
    try {
      const figure = await attack(herald, prepare, longestMs);
      say(
        `${name}: health-check p99 ${Math.round(figure.p99)} ms, longest ${Math.round(figure.value)} ms; ${figure.note}`,
      );
      figures.push({ name, unit: 'ms', ...figure });
    } finally {
      await herald.stop();
    }
  }
  return { figures };
}

async function attack({ url, apiKey }, prepare, longestMs) {
  const call = async (method, path, body) => {
    const answer = await fetch(url + path, {
      method,
      headers: { authorization: `ApiKey ${apiKey}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(longestMs + 10_000),
    });
    return { status: answer.status, ...(await answer.json()) };
  };
  const begin = await prepare({ url, call });
  await sleep(500);
  const [answer, ofStore, ofProcess] = await Promise.all([
    Promise.resolve(begin()).catch((error) => ({ status: error.name })),
    waits(`${url}/v1/health-check`, longestMs),
    waits(`${url}/v1/nothing`, longestMs),
  ]);
  const statuses = [...new Set([answer].flat().map((one) => one?.status ?? ''))].join(' ');
  return {
    value: Math.max(0, ...ofStore),
    p99: percentile(ofStore, 99) ?? 0,
    note: `answer ${statuses}, without the store at most ${Math.round(Math.max(0, ...ofProcess))} ms`,
  };
}

/** Asks again and again until it was answered quickly for a while, or time is up. */
async function waits(url, longestMs) {
  const found = [];
  const begun = performance.now();
  let lastLong = begun;
  while (performance.now() - begun < longestMs && performance.now() - lastLong < QUIET_MS) {
    const asked = performance.now();
    const signal = AbortSignal.timeout(Math.max(1, Math.ceil(longestMs - (asked - begun))));
    await fetch(url, { signal }).then(
      (answer) => answer.text(),
      () => undefined,
    );
    const took = performance.now() - asked;
    found.push(took);
    if (took > LONG_WAIT_MS) lastLong = performance.now();
    await sleep(5);
  }
  return found;
}
